"""What a researcher does on the results page: looks at it, presses Analyse, and waits for the job."""

from typing import Any

from django.test import Client
from django.urls import reverse

from annotation.jobs import run_job
from annotation.models import Job, Study


def results(client: Client, study: Study) -> Any:
    return client.get(reverse("agreement:results", args=[study.uuid]))


def part(client: Client, study: Study, name: str) -> Any:
    """One of the pages behind it, such as its agreement."""
    return client.get(reverse(f"agreement:{name}", args=[study.uuid]))


def pressed(client: Client, study: Study, **given: Any) -> Any:
    """Analyse, with the form as the page gives it but for what is `given`."""
    form = part(client, study, "analyse").context["form"]
    data = {name: form[name].value() for name in form.fields}
    data = {name: "" if value is None else value for name, value in data.items()}
    return client.post(reverse("agreement:analyse", args=[study.uuid]), {**data, **given})


def run_queued() -> Job:
    job = Job.objects.filter(kind="analyse", status="queued").get()
    run_job(job.pk)
    job.refresh_from_db()
    return job
