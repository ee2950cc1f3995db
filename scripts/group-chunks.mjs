/**
 * Bytes of script that take as long to load as a file itself. Chunks are merged if that saves more files than it adds
 * unneeded script, summed over all entry points.
 */
const BYTES_PER_FILE = 16_000;

/**
 * Divides the chunks of a build into groups, each of which becomes one file.
 *
 * A group is loaded by its users, a set of entry points. Whatever imports it has the same users or fewer, which is kept
 * true of merged groups: so groups that import each other have the same users, and are merged in the end.
 * @param outputs of esbuild's metafile
 */
export function groupChunks(outputs) {
  const groupOf = new Map();
  for (const [path, { inputs, entryPoint }] of Object.entries(outputs))
    if (entryPoint === undefined) groupOf.set(path, { chunks: [path], bytes: scriptBytes(inputs), users: new Set() });
  const imported = new Map(Object.keys(outputs).map((path) => [path, importedBy(path, outputs)]));
  for (const [path, chunks] of imported)
    if (!groupOf.has(path)) for (const chunk of chunks) groupOf.get(chunk).users.add(path);

  const done = new Set();
  for (let group = smallest(groupOf, done); group !== undefined; group = smallest(groupOf, done)) {
    const partner = bestPartner(group, { groupOf, imported });
    if (partner === null) done.add(group);
    else merge(group, partner, { groupOf, imported });
  }
  const byUsers = new Map();
  for (const [chunk, { users }] of groupOf) {
    const key = [...users].sort().join();
    byUsers.set(key, [...(byUsers.get(key) ?? []), chunk]);
  }
  return [...byUsers.values()];
}

function scriptBytes(inputs) {
  return Object.values(inputs).reduce((sum, { bytesInOutput }) => sum + bytesInOutput, 0);
}

/** Chunks that a file imports, directly or not. */
function importedBy(path, outputs) {
  const found = new Set();
  const files = [path];
  for (const file of files) {
    for (const { path: target, kind } of outputs[file].imports) {
      if (kind !== "import-statement" || outputs[target] === undefined || found.has(target)) continue;
      found.add(target);
      files.push(target);
    }
  }
  return found;
}

function smallest(groupOf, done) {
  return [...groupOf.values()]
    .filter((group) => !done.has(group))
    .reduce((one, other) => (one === undefined || other.bytes < one.bytes ? other : one), undefined);
}

/** The group that is best merged with this one; null if none is worth it. */
function bestPartner(group, graph) {
  let best = null;
  let least = 0;
  for (const other of new Set(graph.groupOf.values())) {
    if (other === group || costOfBoth(group, other) >= least) continue;
    const cost = costOfBoth(group, other) + costOfNeeds(group, other, graph);
    if (cost >= least) continue;
    best = other;
    least = cost;
  }
  return best;
}

/** Bytes that all users load if two groups are one, minus those that they load now. */
function costOfBoth(one, other) {
  const users = one.users.size + missing(other.users, one.users);
  return users * (one.bytes + other.bytes + BYTES_PER_FILE) - loadedBytes(one) - loadedBytes(other);
}

/** The same of the groups that both need, which all users load then. */
function costOfNeeds(one, other, graph) {
  const users = new Set([...one.users, ...other.users]);
  let cost = 0;
  for (const needed of neededBy(one, other, graph))
    cost += missing(users, needed.users) * (needed.bytes + BYTES_PER_FILE);
  return cost;
}

function loadedBytes({ users, bytes }) {
  return users.size * (bytes + BYTES_PER_FILE);
}

/** Number of users that are not among others. */
function missing(users, others) {
  let count = 0;
  for (const user of users) if (!others.has(user)) count++;
  return count;
}

/** Other groups that two groups import, directly or not. */
function neededBy(one, other, { groupOf, imported }) {
  const needed = new Set();
  const chunks = [...one.chunks, ...other.chunks];
  for (const chunk of chunks) {
    for (const target of imported.get(chunk)) {
      const group = groupOf.get(target);
      if (group === one || group === other || needed.has(group)) continue;
      needed.add(group);
      chunks.push(...group.chunks);
    }
  }
  return needed;
}

function merge(one, other, graph) {
  const users = new Set([...one.users, ...other.users]);
  for (const needed of neededBy(one, other, graph)) for (const user of users) needed.users.add(user);
  const merged = { chunks: [...one.chunks, ...other.chunks], bytes: one.bytes + other.bytes, users };
  for (const chunk of merged.chunks) graph.groupOf.set(chunk, merged);
}
