// The activity line of a tool. It travels with the call as its `title`; the registry's labels serve
// messages stored without one, and the verb's -ing form serves names that this build does not know.

let labels = {};
let verbs = {};

/** Takes the answer of `GET /api/tools/labels`. */
export function learnLabels(known) {
  labels = known.labels ?? {};
  verbs = known.verbs ?? {};
}

export function labelOf(name, title) {
  if (title) return title;
  if (labels[name]) return labels[name];
  const [verb, ...subject] = name.split("_");
  return [verbs[verb] ?? "Working on", ...(verbs[verb] ? subject : [verb, ...subject])].join(" ");
}
