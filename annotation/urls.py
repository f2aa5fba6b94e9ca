"""Addresses in the order of an annotator's journey."""

from django.urls import URLPattern

app_name = "annotation"
urlpatterns: list[URLPattern] = []
