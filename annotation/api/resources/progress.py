"""How far a study is."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.schema import describe
from annotation.api.views import StudyView
from annotation.studies.study_progress import StudyProgress, progress_of


class ProgressShown(serializers.Serializer[StudyProgress]):
    items = serializers.IntegerField()
    judgments_wanted = serializers.IntegerField(source="places")
    judgments_done = serializers.IntegerField(source="answered")
    judgments_in_progress = serializers.IntegerField(source="held")
    judgments_needed = serializers.IntegerField(source="open")
    beyond_target = serializers.IntegerField(source="beyond")
    people = serializers.SerializerMethodField(help_text="How many, by status in words.")
    unverified = serializers.IntegerField()
    finished = serializers.IntegerField()
    median_seconds = serializers.SerializerMethodField()

    def get_people(self, progress: StudyProgress) -> dict[str, int]:
        return dict(progress.people)

    def get_median_seconds(self, progress: StudyProgress) -> float | None:
        return None if progress.median_time is None else progress.median_time.total_seconds()


class Progress(StudyView):
    name = "progress"

    @describe("How far a study is: judgments, people, time", responses=ProgressShown)
    def get(self, request: Request, study: str) -> Response:  # noqa: ARG002
        return Response(ProgressShown(progress_of(self.study)).data)
