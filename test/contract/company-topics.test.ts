import { afterAll, beforeAll, expect, it } from "vitest";
import { EXAMPLE_SEED, exampleCompany } from "../../examples/company/company.ts";
import { type ServedCompany, serveCompany } from "./company-archive.ts";

let company: ServedCompany;
beforeAll(async () => {
  company = await serveCompany("company-topics");
});
afterAll(() => company.stop());

/** Minimum normalized mutual information of the topics and the projects of the company, 0…1. */
const LEAST_INFORMATION = 0.85;

/** Entropy of labels, in nats. */
function entropyOf(labels: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts.values()].reduce((sum, n) => sum - (n / labels.length) * Math.log(n / labels.length), 0);
}

it("finds the projects of the company as topics with matching names", async () => {
  const projects = new Map(exampleCompany(EXAMPLE_SEED).messages.map(({ messageId, project }) => [messageId, project]));
  const pairs: { readonly topic: string; readonly project: string }[] = [];
  for await (const batch of company.archive.messages.scan())
    for (const { messageId, topicId } of batch) {
      const project = projects.get(messageId);
      if (project !== undefined && messageId !== null) pairs.push({ topic: topicId ?? "", project });
    }
  const [topics, labels] = [pairs.map(({ topic }) => topic), pairs.map(({ project }) => project)];
  const [ofTopics, ofProjects] = [entropyOf(topics), entropyOf(labels)];
  const joint = entropyOf(pairs.map(({ topic, project }) => `${topic} ${project}`));
  expect((2 * (ofTopics + ofProjects - joint)) / (ofTopics + ofProjects)).toBeGreaterThan(LEAST_INFORMATION);
  const { items } = await company.archive.topics.list("frequency", 100);
  const names = items.map(({ name }) => name).join("\n");
  for (const word of ["Kittiwake", "Thermometer", "Invoice"]) expect(names).toContain(word);
});
