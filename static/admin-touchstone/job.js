// Follows the jobs of a page that are on their way: moves each bar, and shows the page anew when one begins or has ended.
const AGAIN_MS = 1500;

async function look(followed) {
  try {
    const answer = await fetch(followed.dataset.job, { headers: { Accept: "application/json" } });
    const job = await answer.json();
    if (job.job !== followed.dataset.jobId || job.status !== followed.dataset.jobStatus) {
      window.location.reload();
      return;
    }
    followed.querySelector("progress").value = job.progress;
  } catch {
    // The network or the server is away for a moment: look again later.
  }
  setTimeout(look, AGAIN_MS, followed);
}

for (const followed of document.querySelectorAll("[data-job]")) setTimeout(look, 1000, followed);
