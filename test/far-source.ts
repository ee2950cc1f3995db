import {
  type Addressee,
  type IndexedFile,
  type IndexedText,
  type LookedUp,
  type Lookups,
  type SearchSource,
  TEXTS_AT_ONCE,
} from "../src/search/indexing/search-source.ts";

/** A source like one of a remote store, and the requests sent to it. */
export interface FarSource extends SearchSource {
  readonly roundTrips: string[];
}

/**
 * A source that responds later, has only the requested data, and reports access to anything else. Data that is read
 * once per archive is not a round trip of a query.
 */
export function farSource(source: SearchSource): FarSource {
  const roundTrips: string[] = [];
  const travel = async (question: string): Promise<void> => {
    roundTrips.push(question);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    ...source,
    roundTrips,
    async lookUp(asked) {
      await travel("lookUp");
      return fetched(asked, await source.lookUp(asked));
    },
    async texts(documents, parts) {
      if (documents.length > TEXTS_AT_ONCE) throw new RangeError(`${documents.length} texts at once`);
      await travel(`texts ${documents.length}`);
      return (await source.texts(documents, parts)).map((text, at): IndexedText => {
        const [body, subject, files] = [text.body(), text.subject(), text.files()];
        const readSubject = (): Uint8Array => {
          if (!parts.isSubjectRead(documents[at]!))
            throw new RangeError(`nobody asked for the subject of ${documents[at]}`);
          return subject;
        };
        const readFiles = (): readonly IndexedFile[] => {
          if (!parts.areFilesRead(documents[at]!))
            throw new RangeError(`nobody asked for the files of ${documents[at]}`);
          return files;
        };
        return { body: () => body, passages: () => text.passages(), subject: readSubject, files: readFiles };
      });
    },
    async values(documents, field) {
      if (documents.length > TEXTS_AT_ONCE) throw new RangeError(`${documents.length} values at once`);
      await travel(`values ${documents.length}`);
      return source.values(documents, field);
    },
    async contactNames(contacts) {
      await travel("contactNames");
      return source.contactNames(contacts);
    },
    async topicNames(topics) {
      await travel("topicNames");
      return source.topicNames(topics);
    },
  };
}

function fetched(asked: Lookups, found: LookedUp): LookedUp {
  const addresseeKey = ({ contact, role }: Addressee): string => `${typeof contact} ${contact} ${role}`;
  const topicKey = (tokens: readonly string[]): string => tokens.join(" ");
  return {
    postings: answers(asked.terms, (term) => term, found.postings),
    withPattern: answers(asked.patterns, (pattern) => pattern, found.withPattern),
    contactOf: answers(asked.addresses, (address) => address, found.contactOf),
    addressedTo: answers(asked.addressees, addresseeKey, (who) => Array.from(found.addressedTo(who))),
    inThread: answers(asked.threads, String, (thread) => Array.from(found.inThread(thread))),
    withFile: answers(
      asked.files,
      (sha256) => sha256,
      (sha256) => Array.from(found.withFile(sha256)),
    ),
    withMessageId: answers(
      asked.messageIds,
      (id) => id,
      (id) => Array.from(found.withMessageId(id)),
    ),
    topicsNamed: answers(asked.topics, topicKey, found.topicsNamed),
  };
}

function answers<Question, Answer>(
  questions: readonly Question[],
  keyOf: (question: Question) => string,
  answer: (question: Question) => Answer,
): (question: Question) => Answer {
  const known = new Map(questions.map((question) => [keyOf(question), answer(question)]));
  return (question) => {
    const key = keyOf(question);
    if (!known.has(key)) throw new RangeError(`the query never asked for "${key}"`);
    return known.get(key)!;
  };
}
