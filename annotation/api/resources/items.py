"""Items: read by pages, added from JSON or a whole file, all of them or none."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

from django.core.files import File
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.answering.media import ShownMedium, media_of
from annotation.answering.views.media import RECORDINGS, medium_response
from annotation.api.once import once
from annotation.api.parsing import FILE_PARSERS, KINDS_OF_FILE, MOST_FILE, Strict, read
from annotation.api.resources.jobs import JobShown, accepted_response
from annotation.api.schema import PAGED, describe, page_of
from annotation.api.views import StudyView, page
from annotation.media.files import uploaded
from annotation.media.pictures import CONTENT_TYPES
from annotation.media.storage import content_of
from annotation.media.taking import TooMuchAtOnce, media_from
from annotation.models import Blob, Item, ItemMedium, Study
from annotation.models.question import FIRST
from annotation.studies.item_files import name_on_disk, read_items
from annotation.studies.study_life import add_items
from annotation.studies.unused_in_import import unused_in_import
from annotation.studies.uploading import has_many_rows, queue_import

PICTURES = tuple(CONTENT_TYPES.values())


class MediumShown(serializers.Serializer[dict[str, object]]):
    column = serializers.CharField(help_text="The column that names it.")
    sha256 = serializers.CharField(help_text="Of its bytes as they are shown, without metadata.")
    content_type = serializers.CharField()
    width = serializers.IntegerField(allow_null=True, help_text="In pixels, of pictures and videos.")
    height = serializers.IntegerField(allow_null=True)
    duration_ms = serializers.IntegerField(allow_null=True, help_text="Of sounds and videos.")


class ItemShown(serializers.ModelSerializer[Item]):
    id = serializers.UUIDField(source="uuid")
    check = serializers.CharField(source="check_name", allow_null=True)
    check_question = serializers.SerializerMethodField(
        help_text="The name of the question that any item but one to judge is about; of that null."
    )
    fields = serializers.JSONField()  # type: ignore[assignment]  # the metaclass takes it out again
    expected = serializers.JSONField(allow_null=True)
    repeats = serializers.CharField(source="repeats.item_id", allow_null=True, default=None)
    picture = serializers.CharField(source="image_id", allow_null=True, help_text="The SHA-256 of its picture.")

    media = serializers.SerializerMethodField(help_text="What blocks of the study show of it: files that columns name.")

    class Meta:
        model = Item
        fields = (
            "id", "item_id", "position", "kind", "check", "check_question", "expected", "min", "max", "repeats",
            "reference", "judgments_per_item", "picture", "media", "fields",
        )  # fmt: skip

    @extend_schema_field(MediumShown(many=True))
    def get_media(self, item: Item) -> list[dict[str, object]]:
        shown: Mapping[int, Mapping[str, ShownMedium]] = self.context["media"]
        return [
            {
                "column": column,
                "sha256": medium.sha256,
                "content_type": medium.content_type,
                "width": medium.width,
                "height": medium.height,
                "duration_ms": medium.duration_ms,
            }
            for column, medium in sorted(shown.get(item.pk, {}).items())
        ]

    def get_check_question(self, item: Item) -> str | None:
        names: Mapping[int, str] = self.context["names"]
        return None if item.kind == Item.Kind.TARGET else names.get(item.check_question)


def shown_items(study: Study, items: Sequence[Item]) -> Any:
    names = dict(enumerate((each.question_name for each in study.questions()), start=FIRST))
    media = media_of(study, items) if study.media_columns else {}
    return ItemShown(items, many=True, context={"names": names, "media": media}).data


class NewItems(Strict):
    items = serializers.ListField(
        child=serializers.DictField(child=serializers.JSONField(allow_null=True), allow_empty=False),
        min_length=1,
        max_length=20_000,
        help_text="Each with the names that a file of items has as columns: item_id, kind, check, and the fields.",
    )


class ItemsAdded(serializers.Serializer[dict[str, object]]):
    items = serializers.IntegerField(help_text="How many were added.")
    notice = serializers.CharField(allow_blank=True)
    unused = serializers.ListField(
        child=serializers.CharField(), help_text="What came with the items and nothing uses: columns, pictures, sounds."
    )


class Items(StudyView):
    name = "items"

    @describe(
        "A study's items in their order",
        parameters=[*PAGED, OpenApiParameter("kind", str, enum=Item.Kind.values)],
        responses=page_of(ItemShown),
    )
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        items = self.study.items.select_related("repeats")
        if kind := request.query_params.get("kind", ""):
            items = items.filter(kind=kind)
        return Response(page(request, items, lambda rows: shown_items(self.study, rows), by="position"))

    @describe("Add items: all of them, or none", request=NewItems, responses={201: ItemsAdded, 202: JobShown})
    @once()
    def post(self, request: Request, study: str) -> Response:  # noqa: ARG002
        new_items = read(NewItems, request.data)["items"]
        with TemporaryDirectory(prefix="touchstone-items-") as folder:
            path = Path(folder) / "items.jsonl"
            path.write_text("".join(f"{json.dumps(one)}\n" for one in new_items), encoding="utf-8")
            with path.open("rb") as opened:
                return self.import_response(File(opened, name="items.jsonl"), [])

    def import_response(self, file: File[bytes], pictures: list[File[bytes]]) -> Response:
        """A small file at once; a large one, or large pictures, as a job: others would have to wait meanwhile."""
        if has_many_rows(file):
            return accepted_response(queue_import(study=self.study, file=file, pictures=pictures, by=self.user))
        try:
            with _file_on_disk(file) as path, media_from(uploaded(pictures), at_once=True) as in_reach:
                items = read_items(path, self.study, in_reach)
                count = add_items(
                    study=self.study, items=items, by=self.user, source=path.name, pictures=in_reach.seen.values()
                )
                unused = unused_in_import(items, self.study, in_reach)
        except TooMuchAtOnce:
            return accepted_response(queue_import(study=self.study, file=file, pictures=pictures, by=self.user))
        answer = {"items": count, "notice": self.study.items.without_right_answer_in_words(), "unused": unused}
        where = reverse("api:items", args=[self.study.slug])
        return Response(ItemsAdded(answer).data, status=HTTPStatus.CREATED, headers={"Location": where})


@contextmanager
def _file_on_disk(file: File[bytes]) -> Iterator[Path]:
    """The file under its own name, which refusals quote, in a folder that goes at the end."""
    with TemporaryDirectory(prefix="touchstone-items-") as folder:
        path = Path(folder) / name_on_disk(file.name, "items.csv")
        with path.open("wb") as out:
            out.writelines(file.chunks())
        yield path


FILE = {"type": "string", "format": "binary"}
OF_PARTS = {
    "type": "object",
    "required": ["file"],
    "properties": {
        "file": FILE,
        "pictures": {"type": "array", "items": FILE, "description": "Pictures, sounds and videos that items name."},
    },
}


class ImportItems(Items):
    name = "import_items"
    parser_classes = FILE_PARSERS
    most_bytes = MOST_FILE
    http_method_names = ["post"]

    def setup(self, request: HttpRequest, *args: object, **kwargs: object) -> None:
        super().setup(request, *args, **kwargs)
        self.uploads: list[UploadedFile[bytes]] = []

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        try:
            return super().dispatch(request, *args, **kwargs)
        finally:
            for file in self.uploads:
                file.close()

    @describe(
        "Add the items of a file, CSV or JSON Lines, of up to 200 MB: all of them, or none",
        parameters=[OpenApiParameter("name", str, description="The file's name, for messages and the history.")],
        request={**dict.fromkeys(KINDS_OF_FILE, FILE), "multipart/form-data": OF_PARTS},
        responses={201: ItemsAdded, 202: JobShown},
    )
    @once()
    def post(self, request: Request, study: str) -> Response:  # noqa: ARG002
        parts = dict(request.data)
        file, pictures = parts.get("file"), parts.get("pictures") or []
        if unknown := sorted(parts.keys() - {"file", "pictures"}):
            raise ValidationError({name: ["There is no such part here: send file and pictures."] for name in unknown})
        if not isinstance(file, UploadedFile):
            raise ValidationError({"file": ["Send the file of items."]})
        return self.import_response(file, [one for one in pictures if isinstance(one, UploadedFile)])


class OneItem(StudyView):
    name = "item"

    @describe("One item", responses=ItemShown)
    def get(self, request: Request, study: str, item: UUID) -> Response:  # noqa: ARG002
        stored = self.study.items.select_related("repeats").filter(uuid=item).first()
        if stored is None:
            raise Http404("There is no such item in this study.")
        return Response(shown_items(self.study, [stored])[0])


class PictureShown(serializers.Serializer[dict[str, str]]):
    sha256 = serializers.CharField()
    content_type = serializers.CharField()


class Pictures(StudyView):
    name = "pictures"

    @describe("The pictures that a study's items show", parameters=PAGED, responses=page_of(PictureShown))
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        items = self.study.items.filter(image__isnull=False).select_related("image").defer("image__content")

        def show(rows: Sequence[Item]) -> list[dict[str, str]]:
            return [{"sha256": row.image.pk, "content_type": row.image.content_type} for row in rows if row.image]

        return Response(page(request, items, show, by="position"))


class OnePicture(StudyView):
    name = "picture"

    @describe("A picture's bytes", responses={(200, kind): FILE for kind in PICTURES})
    def get(self, request: Request, study: str, sha256: str) -> HttpResponse:  # noqa: ARG002
        blob = Blob.objects.filter(sha256=sha256, content_type__in=PICTURES).first()
        if blob is None or not self.study.items.filter(image=blob).exists():
            raise Http404("There is no such picture in this study.")
        headers = {"ETag": f'"{sha256}"', "Cache-Control": "private, max-age=31536000, immutable"}
        return HttpResponse(content_of(blob), content_type=blob.content_type, headers=headers)


class OneMedium(StudyView):
    name = "medium"

    @describe(
        "The bytes of a medium that a block shows, or the part that a header Range names",
        responses={(200, kind): FILE for kind in (*PICTURES, *sorted(RECORDINGS))},
    )
    def get(self, request: Request, study: str, sha256: str) -> HttpResponseBase:  # noqa: ARG002
        shown = ItemMedium.objects.filter(item__study=self.study, blob=sha256).select_related("blob").first()
        if shown is None:
            raise Http404("There is no such medium in this study.")
        return medium_response(request._request, shown.blob)
