import type { Instant } from "../dates/instant.ts";
import type { CommunityId, ContactId, MessageId, TopicId } from "./ids.ts";

export type Frequency = "high" | "medium" | "low";
export type Sentiment = "positive" | "neutral" | "negative";

/** A resolved person, role or list: one or more addresses. */
export interface Contact {
  readonly id: ContactId;
  readonly name: string;
  /** The most used address; "" if the contact is known only by name. */
  readonly email: string;
  /** Messages sent or received. */
  readonly messageCount: number;
  readonly sentCount: number;
  readonly receivedCount: number;
  readonly frequency: Frequency;
  readonly firstSeen: Instant | null;
  readonly lastSeen: Instant | null;
  readonly sentiment: Sentiment;
  readonly communityId: CommunityId;
  readonly authorityScore: number;
  readonly hubScore: number;
  readonly pagerank: number;
  readonly degree: number;
  readonly inDegree: number;
  readonly outDegree: number;
  /** Every other address, in its original spelling. */
  readonly aliases: readonly string[];
  readonly domains: readonly string[];
}

/** Why an address belongs to a contact. */
export interface AddressEvidence {
  readonly address: string;
  /** Plain English, e.g. `same address in another spelling`. */
  readonly reason: string;
}

export interface ContactDetail extends Contact {
  readonly messageIds: readonly MessageId[];
  readonly commonTopics: readonly { readonly topicId: TopicId; readonly frequency: number }[];
  readonly evidence: readonly AddressEvidence[];
}

/** Two possibly identical addresses, with the evidence. */
export interface PeopleSuggestion {
  /** In lower case. */
  readonly one: string;
  readonly other: string;
  /** Strength of the evidence: from 5 on it would have joined them. */
  readonly bits: number;
  /** Plain English. */
  readonly reason: string;
}
