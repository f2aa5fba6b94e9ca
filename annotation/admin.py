"""Where Django looks for the admin of this app: all of it stands in `annotation/pages/admin/`."""

from annotation.pages import admin

__all__ = ["admin"]
