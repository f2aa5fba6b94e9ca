"""Gold releases in the admin: numbered, hashed, never changed."""

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html

from agreement.models import GoldRelease
from annotation.admin.columns import column
from annotation.admin.scoped import ReadOnlyAdmin, study_filter


@admin.register(GoldRelease)
class GoldReleaseAdmin(ReadOnlyAdmin):
    list_display = ("shown_number", "study", "created_at", "created_by", "short_hash", "results")
    list_filter = (study_filter("study"),)
    search_fields = ("sha256", "study__title")
    list_select_related = ("study", "created_by")
    fields = ("study", "number", "created_at", "created_by", "sha256", "run", "methods", "uuid")
    readonly_fields = ("uuid",)
    ordering = ("-pk",)

    @column("release", ordering="number")
    def shown_number(self, release: GoldRelease) -> str:
        return f"release {release.number}"

    @column("SHA-256")
    def short_hash(self, release: GoldRelease) -> str:
        return format_html('<code title="{}">{}</code>', release.sha256, release.sha256[:12])

    @column("")
    def results(self, release: GoldRelease) -> str:
        address = f"{reverse('agreement:results', args=[release.study.uuid])}?release={release.number}"
        return format_html('<a class="t-link" href="{}">Results</a>', address)
