import fc from "fast-check";
import { expect, it } from "vitest";
import { fewPages } from "../../test/pages-in-memory.ts";
import type { WideHash } from "../columns/wide-hash.ts";
import { SubjectCandidates } from "./subject-candidates.ts";
import { KEY_ROLE, type KeyRole, ThreadKeys } from "./thread-keys.ts";
import { UnionFind } from "./union-find.ts";

/** Keys contain the words of their hashes, so that any words of two hashes can be equal. */
const spelled: WideHash = (_space, key, words) => words.set(key.split(" ").map(Number));
const word = fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 - 1);
const key = fc.tuple(word, word, word, word).map((words) => words.join(" "));

function setsOf(messages: number): UnionFind {
  const sets = new UnionFind();
  for (let message = 0; message < messages; message++) sets.make();
  return sets;
}

/** First message of each set. */
function firstsOf(sets: UnionFind): readonly number[] {
  return Array.from({ length: sets.size }, (_, message) => sets.find(message));
}

/** First message with the same key, by message; each message has one key. */
function firstsByKey(keys: readonly string[]): readonly number[] {
  return keys.map((entries) => keys.indexOf(entries));
}

it.each([0, 1, 2, 3])("do not join ids whose hashes differ only in word %i", (differing) => {
  const keys = new ThreadKeys(fewPages(), spelled);
  const words = [7, 7, 7, 7];
  keys.add(1, words.join(" "), { message: 0, role: KEY_ROLE.own });
  words[differing] = 8;
  keys.add(1, words.join(" "), { message: 1, role: KEY_ROLE.answered });
  const sets = setsOf(2);
  keys.join(sets, () => expect.unreachable());
  expect(firstsOf(sets)).toEqual([0, 1]);
});

it("joins the messages of each id, and returns which of them replies to another", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ key, role: fc.constantFrom<KeyRole>(0, 1, 2) }), { maxLength: 40 }), (entries) => {
      const keys = new ThreadKeys(fewPages(), spelled);
      for (const [message, { key, role }] of entries.entries()) keys.add(1, key, { message, role });
      const sets = setsOf(entries.length);
      const answers: number[] = [];
      keys.join(sets, (message) => answers.push(message));
      expect(firstsOf(sets)).toEqual(firstsByKey(entries.map(({ key }) => key)));
      const holders = new Set(entries.flatMap(({ key, role }) => (role === KEY_ROLE.own ? [key] : [])));
      const expected = entries.flatMap(({ key, role }, message) =>
        role === KEY_ROLE.answered && holders.has(key) ? [message] : [],
      );
      expect(answers.sort((a, b) => a - b)).toEqual(expected);
    }),
  );
});

it("joins by subject only if hashes agree in every word", () => {
  fc.assert(
    fc.property(fc.array(key, { maxLength: 40 }), (subjects) => {
      const candidates = new SubjectCandidates(fewPages(), spelled);
      for (const [message, subjectKey] of subjects.entries())
        candidates.add({
          message,
          subjectKey,
          isCommon: false,
          sentAt: 0,
          isReply: true,
          hasMessageId: true,
          participants: [0],
        });
      const sets = setsOf(subjects.length);
      candidates.join(sets, () => 0);
      expect(firstsOf(sets)).toEqual(firstsByKey(subjects));
    }),
  );
});
