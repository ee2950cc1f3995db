import type { EncodedMessage, MessageHeading } from "../../mail/archive.ts";
import type { RecordWatcher } from "../record-visitors.ts";
import { BlockWriter, type RenderedBlocks } from "./block-writer.ts";
import { RecentMessages, type RecentOfContacts } from "./contact-pages.ts";
import { AuthorCounts, type AuthorsOfTopics } from "./network-page.ts";
import type { LinkStyle } from "./page-links.ts";
import { type RecentByTopic, RecentOfTopics } from "./topic-pages.ts";
import { type Entities, Vault } from "./vault.ts";

/** How to render messages for a vault. Plain data that crosses threads. */
export interface VaultPlan {
  readonly style: LinkStyle;
  readonly entities: Entities;
  /** Base name of the temporary files of a list of messages. */
  readonly blocksPath: string;
}

/** What a vault needs of consecutive messages. Plain data that crosses threads. */
export interface VaultPart {
  /** For each of BLOCK_DIRECTORIES. */
  readonly blocks: readonly RenderedBlocks[];
  readonly recent: RecentOfContacts;
  readonly recentOfTopics: RecentByTopic;
  readonly authors: AuthorsOfTopics;
}

/** Directories of the pages with blocks, by style: CommonMark links are relative to the page, unlike those of Obsidian. */
export const BLOCK_DIRECTORIES: Readonly<Record<LinkStyle, readonly string[]>> = {
  wiki: ["emails"],
  markdown: ["emails", "wiki/threads"],
};

/** Processes consecutive messages for a vault. */
export class VaultPartWriter implements RecordWatcher {
  private readonly blocks: readonly BlockWriter[];
  private readonly recent: RecentMessages;
  private readonly recentOfTopics = new RecentOfTopics();
  private readonly authors = new AuthorCounts();

  /**
   * @param number of the part, unique in a vault
   * @param hasText returns true for the ordinal of a message whose text is copied from elsewhere
   */
  constructor({ style, entities, blocksPath }: VaultPlan, number: number, hasText: (ordinal: number) => boolean) {
    this.recent = new RecentMessages(new Vault(style, "", entities));
    this.blocks = BLOCK_DIRECTORIES[style].map(
      (directory, index) =>
        new BlockWriter(`${blocksPath}-${number}-${index}`, new Vault(style, directory, entities), hasText),
    );
  }

  /** Number of messages so far. */
  get length(): number {
    return this.blocks[0]!.length;
  }

  /** Call in id order. */
  showMessages(messages: readonly EncodedMessage[]): void {
    for (const message of messages) {
      for (const blocks of this.blocks) blocks.add(message);
      this.list(message);
    }
  }

  /** The same for a message whose block is copied. */
  showCopied(message: MessageHeading): void {
    for (const blocks of this.blocks) blocks.addCopied(message);
    this.list(message);
  }

  private list(message: MessageHeading): void {
    this.recent.add(message);
    this.recentOfTopics.add(message);
    this.authors.add(message);
  }

  finish(): VaultPart {
    return {
      blocks: this.blocks.map((blocks) => blocks.finish()),
      recent: this.recent.collected(),
      recentOfTopics: this.recentOfTopics.collected(),
      authors: this.authors.counts,
    };
  }
}
