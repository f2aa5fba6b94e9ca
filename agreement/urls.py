"""Addresses of results, for signed-in researchers."""

from django.urls import URLPattern

app_name = "agreement"
urlpatterns: list[URLPattern] = []
