import {
  PagedFloat64Column,
  PagedInt32Column,
  PagedUint8Column,
  PagedUint32Column,
} from "../../columns/paged-column.ts";
import type { PagedMemory } from "../../columns/paged-memory.ts";
import { PagedTextColumn } from "../../columns/paged-text-column.ts";
import { QuotationColumns } from "../../threading/quotations.ts";
import type { PreparedChunk } from "../staging/task.ts";

/** Facts from the text of each message. */
type FoundInTexts = Pick<
  PreparedChunk,
  "languages" | "languageOf" | "bodyTokens" | "textKeys" | "sentiment" | "templates" | "mentions" | "quotations"
>;

/** A fact from one text, stored with its message. */
export interface TextFact {
  readonly language: string | null;
  readonly bodyTokens: number;
  readonly textKey: number | null;
  /** Candidates for mentions. */
  readonly mentions: readonly string[];
}

/** Findings of the second pass, chunk by chunk, in columns mostly stored in files. */
export class TextFacts {
  /** Quotations until threads are joined. */
  readonly quotations: QuotationColumns;
  private readonly languages: (string | null)[] = [];
  private readonly languageOf: PagedUint8Column;
  private readonly bodyTokens: PagedUint32Column;
  private readonly textKeys: PagedFloat64Column;
  private readonly sentiment: PagedFloat64Column;
  private readonly templates: PagedInt32Column;
  /** As JSON; empty if not requested. */
  private readonly mentions: PagedTextColumn;

  constructor(memory: PagedMemory) {
    this.quotations = new QuotationColumns(memory);
    this.languageOf = new PagedUint8Column(memory);
    this.bodyTokens = new PagedUint32Column(memory);
    this.textKeys = new PagedFloat64Column(memory);
    this.sentiment = new PagedFloat64Column(memory);
    this.templates = new PagedInt32Column(memory);
    this.mentions = new PagedTextColumn(memory);
  }

  /** Messages whose texts were read. */
  get length(): number {
    return this.sentiment.length;
  }

  add({ languages, languageOf, bodyTokens, textKeys, sentiment, templates, mentions, quotations }: FoundInTexts): void {
    const numbers = languages.map((language) => this.numberOf(language));
    for (const language of languageOf) this.languageOf.push(numbers[language]!);
    for (const tokens of bodyTokens) this.bodyTokens.push(tokens);
    for (const key of textKeys) this.textKeys.push(key);
    for (const tone of sentiment) this.sentiment.push(tone);
    for (const template of templates) this.templates.push(template);
    for (const found of mentions) this.mentions.push(found);
    this.quotations.addPacked(quotations);
  }

  /** @param at counts the messages of this run. */
  at(at: number): TextFact {
    const key = this.textKeys.at(at);
    return {
      language: this.languages[this.languageOf.at(at)] ?? null,
      bodyTokens: this.bodyTokens.at(at),
      textKey: Number.isNaN(key) ? null : key,
      mentions: at < this.mentions.length ? JSON.parse(this.mentions.at(at)) : [],
    };
  }

  /** Sentiment of each message in order; NaN if there is no text. */
  tones(): Iterable<number> {
    return this.sentiment.values();
  }

  /** Key of the template of each message, 0 without one. */
  templateKeys(): Iterable<number> {
    return this.templates.values();
  }

  private numberOf(language: string | null): number {
    const known = this.languages.indexOf(language);
    return known < 0 ? this.languages.push(language) - 1 : known;
  }
}
