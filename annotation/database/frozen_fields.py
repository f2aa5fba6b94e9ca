"""What a landed migration imports: it once made these triggers, which `annotation/database/triggers.py` makes now."""

from annotation.database.append_only import NothingAnyMore


class FreezeOnceJudged(NothingAnyMore):
    def __init__(self, model_name: str, fields: tuple[str, ...]) -> None:
        self.model_name = model_name
        self.fields = fields

    def describe(self) -> str:
        return f"Freeze {', '.join(self.fields)} of {self.model_name} once judged"
