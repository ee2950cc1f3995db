import type * as z from "zod";
import { publishedDate } from "../../../document/published-values.ts";
import type { HitFigures, HitReport } from "../../../outputs/hit-report/hit-report.ts";
import type { hitFiguresSchema, hitsSchema } from "./wire-people.ts";

/** The report as sent and printed as JSON. */
export function hitReportWire({ queries, union }: HitReport): Required<z.infer<typeof hitsSchema>> {
  return {
    hits: queries.map(({ query, problems, unique, ...figures }) => ({
      query,
      problems,
      ...figuresWire(figures),
      unique,
    })),
    union: figuresWire(union),
  };
}

function figuresWire(figures: HitFigures): z.infer<typeof hitFiguresSchema> {
  const { messages, attachments, conversations, conversationMessages, first, last, custodians } = figures;
  return {
    messages,
    attachments,
    conversations,
    conversation_messages: conversationMessages,
    first: publishedDate(first),
    last: publishedDate(last),
    custodians: [...custodians],
  };
}
