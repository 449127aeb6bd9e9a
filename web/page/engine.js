/** The engine behind the page: a worker that is asked, answers, and sends pictures. */

/** A module of WebAssembly with one instruction on vectors of 128 bits. */
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253,
  98, 11,
]);

let source = null;

/** The worker's source and the program, from the script that fits this browser. */
function engineSource() {
  source ??= new Promise((resolve, reject) => {
    const file = WebAssembly.validate(SIMD) ? "engine-simd.js" : "engine-plain.js";
    const script = document.createElement("script");
    script.src = file;
    script.onload = () => resolve(self.STICTION_ENGINE);
    script.onerror = () => reject(new Error(`${file} is not beside this page`));
    document.head.append(script);
  });
  return source;
}

/** The promise of an answer, with the listener of its progress. */
class Question {
  constructor(progress) {
    this.progress = progress;
    this.answer = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
  }
}

/** One worker. Requests are `{do, …}`; what it sends unasked goes to `onFrame`. */
export class Engine {
  #worker = null;
  #ready = null;
  /** ends a start that is still under way */
  #abandon = () => {};
  #questions = new Map();
  #next = 1;

  /** is given every picture with its report */
  onFrame = () => {};
  /** is told why the engine cannot go on */
  onBroken = () => {};

  /** Starts the worker; resolves to `{version, simd}`. */
  start() {
    this.#ready ??= this.#begin();
    return this.#ready;
  }

  async #begin() {
    const { worker, wasm, simd } = await engineSource();
    const address = URL.createObjectURL(new Blob([worker], { type: "text/javascript" }));
    this.#worker = new Worker(address);
    URL.revokeObjectURL(address);
    return new Promise((resolve, reject) => {
      this.#abandon = reject;
      this.#worker.onmessage = ({ data }) => {
        if (data.is === "ready") resolve(data);
        else if (data.is === "broken") this.#break(new Error(data.message), reject);
        else this.#receive(data);
      };
      this.#worker.onerror = (event) => {
        this.#break(new Error(event.message || "the engine stopped"), reject);
      };
      this.#worker.postMessage({ do: "start", wasm, simd });
    });
  }

  #break(error, reject) {
    reject(error);
    this.#end(error);
    this.onBroken(error.message);
  }

  #receive(data) {
    if (data.is === "frame") {
      this.onFrame(data);
      return;
    }
    const question = this.#questions.get(data.id);
    if (!question) return;
    if (data.is === "progress") {
      question.progress(data.share, data.words);
      return;
    }
    this.#questions.delete(data.id);
    if (data.is === "error") question.reject(new Error(data.message));
    else question.resolve(data.value);
  }

  /**
   * Asks; resolves to the value, rejects with the refusal in words.
   * @param {{do: string}} request
   * @param {(share: number, words: string) => void} [progress]
   */
  async ask(request, progress = () => {}) {
    await this.start();
    const id = this.#next++;
    const question = new Question(progress);
    this.#questions.set(id, question);
    this.#worker.postMessage({ ...request, id });
    return question.answer;
  }

  /** Ends the worker and what it computes; the next question starts another. */
  cancel() {
    this.#end(new DOMException("cancelled", "AbortError"));
  }

  #end(error) {
    this.#worker?.terminate();
    this.#worker = null;
    this.#ready = null;
    this.#abandon(error);
    for (const question of this.#questions.values()) question.reject(error);
    this.#questions.clear();
  }
}
