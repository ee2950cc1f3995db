import { expect, it } from "vitest";
import { withStoreAsSource } from "./store-source.ts";

const URL = "postgres://ann@db.example/mail";

it.each([
  [`search --store ${URL} --collection harbour crane`, `search ${URL}#harbour crane`],
  [`search crane --collection=harbour --store=${URL} -n 3`, `search ${URL}#harbour crane -n 3`],
  [`-q stats --store ${URL} --collection a/b`, `-q stats ${URL}#a%2Fb`],
  [`copy archive ${URL} --collection harbour`, `copy archive ${URL}#harbour`],
  [`copy ${URL}#old ${URL} --collection new`, `copy ${URL}#old ${URL}#new`],
  [`search --store ${URL}#harbour -- --store`, `search ${URL}#harbour -- --store`],
  ["search archive crane", "search archive crane"],
  ["search archive --store", "search archive --store"],
])("reads %s as %s", (line, read) => {
  expect(withStoreAsSource(line.split(" ")).join(" ")).toBe(read);
});
