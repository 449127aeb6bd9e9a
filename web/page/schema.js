/** What the JSON schema of scenes says about a place in a text. */

/** The schema below one key, through lists, alternatives and tables with free names. */
function below(schemas, key) {
  return schemas.flatMap((schema) => {
    const here = schema.items && !schema.properties ? [schema.items] : [schema];
    return here.flatMap(alternatives).flatMap((one) => {
      const found = one.properties?.[key];
      if (found) return [found];
      return typeof one.additionalProperties === "object" ? [one.additionalProperties] : [];
    });
  });
}

/** A schema, or all of its alternatives. */
function alternatives(schema) {
  return schema.oneOf ? schema.oneOf.flatMap(alternatives) : [schema];
}

/**
 * The keys at a place. Where alternatives are told apart by a constant, as friction laws by `law`, `given`
 * leaves those that fit what is written already.
 * @param {object} schema
 * @param {string[]} path
 * @param {Map<string, string>} given keys with their texts
 * @returns {Map<string, object[]>} schemas of each key
 */
export function keysAt(schema, path, given = new Map()) {
  const here = path.reduce(below, [schema]).map((one) => (one.items && !one.properties ? one.items : one));
  const fits = (one) =>
    Object.entries(one.properties ?? {}).every(([key, { const: fixed }]) => fixed === undefined || !given.has(key) || given.get(key) === fixed);
  const keys = new Map();
  for (const one of here.flatMap(alternatives).filter(fits)) {
    for (const [key, value] of Object.entries(one.properties ?? {})) {
      keys.set(key, [...(keys.get(key) ?? []), value]);
    }
  }
  return keys;
}

/**
 * The values that a key may have, where they can be listed.
 * @param {object[]} schemas of the key
 * @returns {{value: string, about: string}[]} as they are written in TOML
 */
export function valuesOf(schemas) {
  return schemas.flatMap(alternatives).flatMap(({ const: fixed, enum: words, type, description = "" }) => {
    if (fixed !== undefined) return [{ value: JSON.stringify(fixed), about: description }];
    if (words) return words.map((word) => ({ value: JSON.stringify(word), about: "" }));
    if (type === "boolean") return ["true", "false"].map((value) => ({ value, about: "" }));
    return [];
  });
}

/** Stiffness [N/m] and damping [N·s/m] of laws that need them: bodies of a kilogram hold and do not ring. */
const USUAL = { stiffness: 1e4, damping: 10 };

/** The inline table of a friction law with every key that it needs. */
export function lawTable(schema, law, epsilon) {
  const laws = below(below([schema], "contact"), "friction").flatMap(alternatives);
  const row = laws.find((one) => one.properties.law.const === law);
  const pairs = [`law="${law}"`];
  for (const key of Object.keys(row.properties)) {
    if (key === "epsilon" && epsilon) pairs.push(`epsilon=${epsilon}`);
    else if (key in USUAL) pairs.push(`${key}=${USUAL[key]}`);
  }
  return `{${pairs.join(",")}}`;
}
