/**
 * The runs of lessons: what is computed to compare an answer with.
 *
 * @typedef {object} Read what is read from the table of measures
 * @property {string} column
 * @property {"end" | "max"} [at] the last value, or the largest; "end" where absent
 * @property {number} [first_above] instead: the time at which the column first exceeds this
 * @property {number} [times] a factor, so that the value has the unit of the question
 *
 * @typedef {object} Run one of three
 * @property {string} [scene] of the library; the lesson's own where absent
 * @property {string[]} [set] settings
 * @property {Read} [read]
 * @property {{value: number, set: string[]}[]} [bracket] two runs: `read` exceeds `above` only in the second
 * @property {number} [above]
 * @property {string} [engine] instead: the closed form of an engine, its `field` with `values`
 * @property {object} [values]
 * @property {string} [field] such as `creep` or `load.load_ratio`
 * @property {object} [over] the field is divided by that with these values
 * @property {string} [apart] why what is computed differs from the answer of the textbook
 * @property {{below?: number, choice: number}[]} [choose] for questions with choices: the first that holds
 */

/** Columns of a table as text. */
function columns(csv) {
  const [head, ...lines] = csv.trim().split(/\r?\n/).map((line) => line.split(","));
  return new Map(head.map((name, at) => [name, lines.map((line) => Number(line[at]))]));
}

/** @param {string} csv @param {Read} read */
function value(csv, { column, at = "end", first_above: level, times = 1 }) {
  const table = columns(csv);
  const numbers = table.get(column);
  if (!numbers) throw new Error(`the run has no measure "${column}"`);
  const sizes = numbers.map(Math.abs);
  if (level !== undefined) {
    const first = sizes.findIndex((size) => size > level);
    return first < 0 ? Infinity : table.get("time")[first] * times;
  }
  return times * (at === "max" ? Math.max(...sizes) : sizes.at(-1));
}

function field(answer, path) {
  return path.split(".").reduce((part, key) => part[key], answer);
}

/** The scene of a run, as requests name it. */
export function sceneOf(run, lesson) {
  if (run.scene) return { name: run.scene };
  return lesson.scene.text ? { text: lesson.scene.text.join("\n"), name: lesson.name } : { name: lesson.scene.name };
}

/**
 * Computes a run; resolves to the least and the largest value that it leaves open, which are one number
 * unless it is a bracket.
 * @param {import("./engine.js").Engine} engine
 * @param {Run} run
 * @param {(share: number, words: string) => void} progress
 * @returns {Promise<[number, number]>}
 */
export async function measure(engine, run, lesson, progress = () => {}) {
  if (run.engine) {
    const ask = async (values) => field(await engine.ask({ do: "creep", engine: run.engine, values }), run.field);
    const found = await ask(run.values);
    const ratio = (run.over ? found / (await ask(run.over)) : found) * (run.times ?? 1);
    return [ratio, ratio];
  }
  const scene = sceneOf(run, lesson);
  const count = run.bracket ? 2 : 1;
  const one = async (set, at) => {
    const part = (share) => progress((at + share) / count, count > 1 ? `run ${at + 1} of ${count}` : "");
    return value((await engine.ask({ do: "measures", ...scene, set }, part)).csv, run.read);
  };
  if (!run.bracket) {
    const found = await one(run.set ?? [], 0);
    return [found, found];
  }
  const [low, high] = run.bracket;
  const [below, above] = [await one([...(run.set ?? []), ...low.set], 0), await one([...(run.set ?? []), ...high.set], 1)];
  if (!(below <= run.above && above > run.above)) throw new Error(`the two runs do not enclose it: ${below} and ${above}`);
  return [low.value, high.value];
}

/** The choice that a run speaks for; a value that does not exist, as a swing without cycles, is below every bound.
 * @param {Run} run @param {number} found */
export function chosen(run, found) {
  return run.choose.find(({ below }) => below === undefined || !(found >= below)).choice;
}

/** Share of the answer by which a number may differ from it: what is computed and the formula are both right. */
export const WITHIN = 0.02;

/** Whether a number is the answer of a question. */
export function right(question, number) {
  return Math.abs(number - question.answer) <= WITHIN * Math.abs(question.answer);
}

/** Whether what was computed agrees with the answer of its question. @param {[number, number]} found */
export function agrees(question, [low, high]) {
  if (question.kind === "choice") return question.choices[chosen(question.run, low)].right === true;
  if (low === high) return right(question, low);
  return low <= question.answer && question.answer <= high;
}
