import { Queue } from "/static/pages/queue.js";
import { Store } from "/static/pages/store.js";
import { equal, test } from "./tried.js";

export { run } from "./tried.js";

const ADDRESS = "/no-such-address/";
const SAVED = { status: 200, body: { saved: true } };
const NO_NETWORK = { status: 0 };

// A queue whose server replies what `replies` hold in turn, and whose waits end when `wait` is called.
function rig(replies = [], name = "rig") {
  const it = { sent: [], told: [], heard: [], waits: [], options: [] };
  window.fetch = async (address, options = {}) => {
    if (options.method === "HEAD") return { ok: it.isReachable ?? true };
    it.sent.push(new URLSearchParams(options.body).get("answer"));
    it.options.push(options);
    const reply = await (replies.shift() ?? SAVED);
    if (reply.status === 0) throw new TypeError("no network");
    return { status: reply.status, redirected: reply.redirected ?? false, json: async () => JSON.parse(reply.text ?? JSON.stringify(reply.body)) };
  };
  window.setTimeout = (body, milliseconds) => it.waits.push({ body, milliseconds });
  it.queue = new Queue({
    address: ADDRESS,
    store: new Store(name),
    tell: (word, position) => it.told.push(`${word} ${position ?? ""}`.trim()),
    hear: (position, feedback) => it.heard.push([position, feedback]),
  });
  it.add = (position, answer, where) => it.queue.add(position, new URLSearchParams({ answer }), where);
  it.wait = async () => {
    it.waits.pop().body();
    await settled();
  };
  return it;
}

const [fetchOfPage, timeoutOfPage] = [window.fetch, window.setTimeout];

async function settled() {
  for (let turn = 0; turn < 40; turn += 1) await Promise.resolve();
}

function tried(name, body) {
  test(name, async () => {
    try {
      await body();
    } finally {
      [window.fetch, window.setTimeout] = [fetchOfPage, timeoutOfPage];
    }
  });
}

tried("an answer is kept until the server has it", async () => {
  let reply;
  const it = rig([new Promise((resolve) => (reply = resolve))]);
  it.add(1, "a");
  await settled();
  equal([it.queue.entries.length, it.told], [1, ["saving 1"]]);
  reply(SAVED);
  await settled();
  equal([it.queue.entries.length, new Store("rig").load().size, it.told], [0, 0, ["saving 1", "saved 1"]]);
});

tried("answers go one by one, in the order in which they were given", async () => {
  const it = rig();
  it.add(1, "a");
  it.add(2, "b");
  it.add(3, "c");
  await settled();
  equal([it.sent, it.told.at(-1)], [["a", "b", "c"], "saved 3"]);
});

tried("an answer that waits gives way to a newer one to the same question, and one on its way does not", async () => {
  let reply;
  const it = rig([new Promise((resolve) => (reply = resolve))]);
  for (const answer of ["on its way", "never sent", "newest"]) it.add(1, answer);
  reply(SAVED);
  await settled();
  equal(it.sent, ["on its way", "newest"]);
});

tried("without a network it asks again, ever more rarely, and never gives up", async () => {
  const it = rig(Array.from({ length: 8 }, () => NO_NETWORK));
  it.add(1, "a");
  await settled();
  const waited = [];
  while (it.waits.length) {
    waited.push(it.waits.at(-1).milliseconds / 1000);
    await it.wait();
  }
  equal(waited, [1, 2, 4, 8, 15, 30, 30, 30]);
  equal([it.sent.length, it.told.at(1), it.told.at(-1)], [9, "waiting 1", "saved 1"]);
});

tried("a server that takes nothing for a while is told apart from a missing network", async () => {
  const it = rig([{ status: 503 }, NO_NETWORK, { status: 500 }, { status: 429 }, { status: 200, redirected: true }]);
  it.add(1, "a");
  await settled();
  while (it.waits.length) await it.wait();
  equal(it.told, ["saving 1", "paused 1", "waiting 1", "waiting 1", "waiting 1", "waiting 1", "saved 1"]);
});

tried("a reply that is no JSON is no word on the answer", async () => {
  const it = rig([{ status: 200, text: "<html>a network that wants a log-in</html>" }]);
  it.add(1, "a");
  await settled();
  equal(it.queue.entries.length, 1);
  await it.wait();
  equal([it.sent, it.queue.entries.length], [["a", "a"], 0]);
});

tried("what is refused is kept with its sentence until there is another answer", async () => {
  const it = rig([{ status: 422, body: { saved: false, sentence: "Choose one.", field: "q2-answer" } }]);
  it.add(4, "a", { called: "Question 4", names: { 2: "How sure" } });
  await settled();
  const [refused] = it.queue.refused;
  equal([refused.sentence, refused.called, refused.isFinal, it.told.at(-1)], ["Choose one.", "How sure", false, "refused 4"]);
  it.add(4, "b");
  equal(it.queue.refused, []);
  await settled();
  equal(it.sent, ["a", "b"]);
});

tried("where nothing is taken any more a refusal is final", async () => {
  for (const status of [404, 410]) {
    const it = rig([{ status, body: { saved: false, sentence: "Over." } }], `closed-${status}`);
    it.add(1, "a");
    await settled();
    equal(it.queue.refusal(1).isFinal, true);
  }
});

tried("a refusal says nothing where the answer was changed meanwhile", async () => {
  let reply;
  const it = rig([new Promise((resolve) => (reply = resolve))]);
  it.add(1, "a");
  await settled();
  it.add(1, "b");
  reply({ status: 422, body: { saved: false, sentence: "No." } });
  await settled();
  equal([it.queue.refused, it.sent, it.told.includes("refused 1")], [[], ["a", "b"], false]);
});

tried("another tab's older answer to the same question is not sent after this one's", async () => {
  new Store("rig").set("answer.other-tab", { position: 1, body: "answer=older", at: Date.now() - 1000 });
  const it = rig([NO_NETWORK]);
  it.add(1, "newer");
  await settled();
  await it.wait();
  equal(it.sent, ["newer", "newer"]);
});

tried("who waits for the last answer is let go once it is there and there is a network", async () => {
  const it = rig([NO_NETWORK]);
  it.add(1, "a");
  let isGone = false;
  it.queue.whenEmpty().then(() => (isGone = true));
  await settled();
  equal(isGone, false);
  await it.wait();
  equal(isGone, true);
});

tried("practice hears what its answer was replied with, and not of one that was changed", async () => {
  let reply;
  const it = rig([new Promise((resolve) => (reply = resolve)), { status: 200, body: { saved: true, feedback: "Right." } }]);
  it.add(1, "a");
  it.add(1, "b");
  reply({ status: 200, body: { saved: true, feedback: "Wrong." } });
  await settled();
  equal(it.heard, [[1, "Right."]]);
});

tried("a page that goes away sends all that is left, and keeps it", async () => {
  const it = rig([NO_NETWORK, NO_NETWORK, NO_NETWORK, NO_NETWORK]);
  it.add(1, "a");
  await settled();
  it.add(2, "b");
  await settled();
  it.sent.length = it.options.length = 0;
  it.queue.sendAllAtOnce();
  await settled();
  equal([it.sent, it.options.map((one) => one.keepalive), it.queue.entries.length], [["a", "b"], [true, true], 2]);
});
