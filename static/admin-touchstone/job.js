// Follows an analysis that is on its way: moves the bar, and shows the page anew when the job has ended.
const followed = document.querySelector("[data-job]");

async function look() {
  try {
    const answer = await fetch(followed.dataset.job, { headers: { Accept: "application/json" } });
    const job = await answer.json();
    if (job.job !== followed.dataset.jobId || !["queued", "running"].includes(job.status)) {
      window.location.reload();
      return;
    }
    followed.querySelector("progress").value = job.progress;
    if (job.status !== followed.dataset.jobStatus) {
      window.location.reload();
      return;
    }
  } catch {
    // The network or the server is away for a moment: look again later.
  }
  setTimeout(look, 1500);
}

if (followed) setTimeout(look, 1000);
