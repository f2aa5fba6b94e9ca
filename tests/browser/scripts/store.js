import { forget, Store, uuid } from "/static/pages/store.js";
import { equal, test } from "./tried.js";

export { run } from "./tried.js";

test("what is put is there after the page was loaded again", () => {
  new Store("a").set("answer.1", { body: "x" });
  const again = new Store("a");
  again.load();
  equal(again.get("answer.1"), { body: "x" });
});

test("a store sees nothing of another assignment, nor of one whose name begins like its own", () => {
  new Store("one").set("k", 1);
  new Store("oneself").set("k", 2);
  equal([...new Store("one").load()], [["k", 1]]);
});

test("what is deleted is gone from the browser too", () => {
  const store = new Store("a");
  store.set("k", 1);
  store.delete("k");
  equal([store.get("k"), new Store("a").load().size, localStorage.length], [undefined, 0, 0]);
});

test("a value that knows its end is read like one that doesn't", () => {
  new Store("a", Date.now() + 1000).set("k", { body: "x" });
  equal(new Store("a").load().get("k"), { body: "x" });
});

test("a browser that is full keeps answers as long as the page lasts", () => {
  const store = new Store("a");
  store.kept = {
    setItem() {
      throw new DOMException("full", "QuotaExceededError");
    },
  };
  store.set("k", 1);
  store.set("l", 2);
  equal([store.get("k"), store.get("l"), store.load().size], [1, 2, 2]);
});

test("an entry that was cut short is left alone and hides no other", () => {
  localStorage.setItem("touchstone.a.broken", '{"body": "x');
  new Store("a").set("k", 1);
  equal([...new Store("a").load()], [["k", 1]]);
});

test("forgetting takes those that are named and those past their end, and nothing else", () => {
  new Store("ended").set("k", 1);
  new Store("stale", Date.now() - 1).set("k", 1);
  new Store("under-way", Date.now() + 60000).set("k", 1);
  new Store("endedlater").set("k", 1);
  localStorage.setItem("another site's", "kept");
  forget(["ended"]);
  equal(Object.keys(localStorage).sort(), ["another site's", "touchstone.endedlater.k", "touchstone.under-way.k"]);
});

test("a key is a random UUID of version 4", () => {
  const all = Array.from({ length: 200 }, uuid);
  const isOne = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  equal([all.every((one) => isOne.test(one)), new Set(all).size], [true, 200]);
});
