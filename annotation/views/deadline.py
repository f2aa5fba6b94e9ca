"""By when a part is to be finished, in sentences with a clock time; script turns that into the person's own time."""

import datetime as dt
from dataclasses import dataclass

from django.utils.formats import date_format
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

SOON = dt.timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Deadline:
    at: dt.datetime
    now: dt.datetime

    @property
    def seconds_left(self) -> int:
        return int((self.at - self.now).total_seconds())

    @property
    def is_past(self) -> bool:
        return self.at <= self.now

    @property
    def is_soon(self) -> bool:
        return not self.is_past and self.at - self.now <= SOON

    @property
    def by(self) -> str:
        return _("Please finish by {time}.")

    @property
    def soon(self) -> str:
        return _("Less than five minutes are left: please finish by {time}.")

    @property
    def over(self) -> str:
        return _("The time was over at {time}. You can still finish, but your answers may come too late to be used.")

    @property
    def now_said(self) -> SafeString:
        """The sentence that holds at this moment, with the time in it as a page without script can know it."""
        sentence = self.over if self.is_past else self.soon if self.is_soon else self.by
        before, _mark, after = sentence.partition("{time}")
        return format_html("{}{}{}", escape(before), self._time(), escape(after))

    def _time(self) -> SafeString:
        """In UTC, for the server doesn't know where the person is; so it says how long that is, too."""
        layout = "TIME_FORMAT" if self.at.date() == self.now.date() else "DATETIME_FORMAT"
        clock = f"{date_format(self.at, layout)} UTC"
        minutes = self.seconds_left // 60
        left = ngettext("about %(minutes)s minute", "about %(minutes)s minutes", minutes) % {"minutes": minutes}
        told = "" if self.is_past or not minutes else f" ({left})"
        return format_html('<time datetime="{}">{}</time>{}', self.at.isoformat(timespec="seconds"), clock, told)
