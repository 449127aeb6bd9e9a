/** What is true of a wrong number: a mistake that its question lists, its sign, its power of ten, its size. */

/** Share by which a number may differ from that of a mistake. */
const LIKE = 0.025;

/** Share of the answer within which a wrong number is near. */
const NEAR = 0.1;

/** The listed mistake that comes nearest. */
function listed(mistakes, number) {
  const apart = ({ value }) => Math.abs(number / value - 1);
  const near = mistakes.filter((mistake) => apart(mistake) <= LIKE);
  return near.sort((one, other) => apart(one) - apart(other))[0];
}

/**
 * @param {{answer: number, mistakes?: {value: number, says: string}[]}} question
 * @param {number} number that is not its answer
 * @param {(number: number) => boolean} right whether a number would be
 */
export function feedback({ answer, mistakes = [] }, number, right) {
  const mistake = listed(mistakes, number);
  if (mistake) return mistake.says;
  if (right(-number)) return "Only the sign is wrong.";
  const power = Math.round(Math.log10(Math.abs(number / answer)));
  if (number !== 0 && right(number / 10 ** power)) return "Its digits are right, its power of ten is not: look at the unit.";
  const size = number > answer ? "too large" : "too small";
  return Math.abs(number - answer) <= NEAR * Math.abs(answer) ? `It is near, but ${size}.` : `It is ${size}.`;
}
