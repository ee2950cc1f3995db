import { expect, it } from "vitest";
import { replyTree } from "./reply-tree.ts";

it("places replies below their message, in order", () => {
  const message = (id: string, parent: string | null) => ({ id, parent });
  const tree = replyTree([
    message("a", null),
    message("b", null),
    message("c", "a"),
    message("d", "c"),
    message("e", "a"),
    message("f", "elsewhere"),
  ]);
  expect(tree.map(([{ id }, depth]) => `${id}${depth}`)).toEqual(["a0", "c1", "d2", "e1", "b0", "f0"]);
});

it("draws a hundred thousand nested replies without deep recursion", () => {
  const chain = Array.from({ length: 100_000 }, (_, at) => ({ id: `${at}`, parent: at === 0 ? null : `${at - 1}` }));
  expect(replyTree(chain).at(-1)![1]).toBe(99_999);
});
