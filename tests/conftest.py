"""What all tests share: the house's rules, the databases, and the services that stand beside them."""

from tests.databases import django_db_modify_db_settings, django_db_setup
from tests.forms import forms_as_browsers_send_them
from tests.house_rules import (
    pytest_collection_finish,
    pytest_collection_modifyitems,
    pytest_configure,
    pytest_ignore_collect,
    pytest_make_collect_report,
    pytest_report_header,
    pytest_runtest_makereport,
    pytest_runtest_setup,
    pytest_terminal_summary,
    pytest_unconfigure,
)
from tests.made_once import contexts_of_fields_not_kept, static_files_listed_once
from tests.services.drawing import drawn_in_one_process
from tests.services.fixtures import broker_url, browser, browser_context, page, start_worker, valkey_url

__all__ = [
    "broker_url",
    "browser",
    "browser_context",
    "contexts_of_fields_not_kept",
    "django_db_modify_db_settings",
    "django_db_setup",
    "drawn_in_one_process",
    "forms_as_browsers_send_them",
    "page",
    "pytest_collection_finish",
    "pytest_collection_modifyitems",
    "pytest_configure",
    "pytest_ignore_collect",
    "pytest_make_collect_report",
    "pytest_report_header",
    "pytest_runtest_makereport",
    "pytest_runtest_setup",
    "pytest_terminal_summary",
    "pytest_unconfigure",
    "start_worker",
    "static_files_listed_once",
    "valkey_url",
]
