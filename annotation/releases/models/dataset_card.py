"""DatasetCard: what only researchers know of a study's data. PublishedNames: what a published bundle calls people."""

from typing import ClassVar

from django.db import models

from annotation.database.triggers import AppendOnly
from annotation.models import Study
from annotation.releases.models.gold_release import GoldRelease


class DatasetCard(models.Model):
    """Goes into croissant.json, README.md and zenodo.json; what is empty reads "to be filled in" there."""

    study = models.OneToOneField(Study, models.CASCADE, related_name="dataset_card")
    title = models.CharField(max_length=200, blank=True)
    description = models.TextField(blank=True)
    license = models.CharField(max_length=200, blank=True)
    url = models.URLField(blank=True)
    creators = models.JSONField(default=list, blank=True)
    published = models.DateField(null=True, blank=True)
    version = models.CharField(max_length=20, default="1.0.0")
    keywords = models.JSONField(default=list, blank=True)
    language = models.CharField(max_length=20, blank=True)
    collection = models.TextField(blank=True)
    limitations = models.TextField(blank=True)
    biases = models.TextField(blank=True)
    sensitive_information = models.TextField(blank=True)
    social_impact = models.TextField(blank=True)
    use_cases = models.TextField(blank=True)
    maintenance = models.TextField(blank=True)
    derived_from = models.CharField(max_length=200, blank=True)
    synthetic = models.BooleanField(null=True, blank=True)
    citation = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"data card of {self.study}"


class PublishedNames(models.Model):
    """Given when a release is first published and kept, so that every copy calls a person the same."""

    release = models.OneToOneField(GoldRelease, models.PROTECT, related_name="published_names")
    names = models.JSONField(help_text="The name in published bundles (w01, w02, …) of each pseudonym.")
    made_at = models.DateTimeField(auto_now_add=True)

    triggers: ClassVar = [AppendOnly(allows_delete=True)]

    def __str__(self) -> str:
        return f"published names of {self.release}"
