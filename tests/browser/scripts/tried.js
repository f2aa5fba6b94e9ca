// A test of scripts in the browser itself: `test` names it, `run` runs all of a file and tells what each came to.

const tests = new Map();

export function test(name, body) {
  tests.set(name, body);
}

export function equal(actual, expected) {
  const [is, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== wanted) throw new Error(`${is} instead of ${wanted}`);
}

export async function run() {
  const results = {};
  for (const [name, body] of tests) {
    localStorage.clear();
    try {
      await body();
      results[name] = "passed";
    } catch (error) {
      results[name] = String(error.stack);
    }
  }
  return results;
}
