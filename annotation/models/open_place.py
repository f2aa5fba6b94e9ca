"""OpenPlace: a place (slot) of an item that nobody holds. Claiming removes its row, giving back adds it again."""

from django.db import models
from django.db.models import Q

from annotation.models.item import Item
from annotation.models.study import Study


class OpenPlace(models.Model):
    study = models.ForeignKey(Study, models.CASCADE, related_name="open_places")
    item = models.ForeignKey(Item, models.CASCADE, related_name="open_places")
    slot = models.PositiveSmallIntegerField()
    rank = models.IntegerField(help_text="Random by the study's seed: which of the places of one layer goes first.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "slot"], name="%(class)s_once"),
            models.CheckConstraint(condition=Q(slot__gte=1), name="%(class)s_slot_from_one"),
        ]
        # The order in which places are claimed: all first slots before any second one, so that items fill evenly.
        indexes = [models.Index(fields=["study", "slot", "rank", "item"], name="%(class)s_claim_order")]

    def __str__(self) -> str:
        return f"place {self.slot} of {self.item}"
