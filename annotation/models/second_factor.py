"""SecondFactor: that a researcher's log-in asks for an app's code as well; RecoveryCode: what replaces a lost app."""

from django.conf import settings
from django.db import models

from annotation.models.constraints import filled


class SecondFactor(models.Model):
    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="second_factor")
    # The secret follows from this and the site's SECRET_KEY (annotation/totp.py): a copy of the database opens nothing.
    nonce = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)
    last_step = models.BigIntegerField(help_text="The 30 seconds whose code was used last: no code works twice.")

    class Meta:
        constraints = [filled("nonce")]

    def __str__(self) -> str:
        return f"second factor of {self.user}"


class RecoveryCode(models.Model):
    factor = models.ForeignKey(SecondFactor, models.CASCADE, related_name="recovery_codes")
    digest = models.CharField(max_length=64, unique=True)
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [filled("digest")]

    def __str__(self) -> str:
        return f"recovery code of {self.factor.user}"
