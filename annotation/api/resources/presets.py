"""Study templates that a study can be made from."""

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.schema import describe
from annotation.api.views import ApiView
from annotation.studies import presets
from annotation.studies.presets import Preset


class PresetShown(serializers.Serializer[Preset]):
    name = serializers.CharField()
    version = serializers.CharField()
    sha256 = serializers.CharField()
    title = serializers.CharField()
    kind = serializers.SerializerMethodField()
    question = serializers.SerializerMethodField()
    items = serializers.SerializerMethodField(help_text="How many items of its own it brings.")
    rules = serializers.CharField(help_text="The rule set of a first analysis; empty: every check's own bounds.")

    def get_kind(self, preset: Preset) -> str:
        return str(preset.study["kind"])

    def get_question(self, preset: Preset) -> str:
        return str(preset.study["question"])

    def get_items(self, preset: Preset) -> int:
        return len(preset.items)


class Presets(ApiView):
    name = "presets"

    @describe("The study templates", responses=PresetShown(many=True))
    def get(self, request: Request) -> Response:  # noqa: ARG002
        return Response([PresetShown(presets.load(name)).data for name in presets.names()])


class OnePreset(ApiView):
    name = "preset"

    @describe("One study template", responses=PresetShown)
    def get(self, request: Request, preset: str) -> Response:  # noqa: ARG002
        if preset not in presets.names():
            raise Http404(f"There is no preset of that name: there are {', '.join(presets.names())}.")
        return Response(PresetShown(presets.load(preset)).data)
