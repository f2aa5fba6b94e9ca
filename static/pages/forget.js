// The end: this browser keeps nothing of it, and does not offer the next person to go on from here.

import { forget, Store } from "./store.js";

const { forget: study, queues } = document.body.dataset;
const begun = new Store("begun");

begun.delete(study);
begun.delete(`queue.${study}`);
forget(queues.split(" ").filter(Boolean));
