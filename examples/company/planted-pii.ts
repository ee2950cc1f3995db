/** The kinds of personal data that `--redact` knows. */
export type PlantedType = "email" | "phone" | "ssn" | "credit_card" | "ip";

/** A personal datum that was put into the text of a message on purpose. */
export interface PlantedPii {
  readonly type: PlantedType;
  readonly text: string;
  readonly messageId: string;
}

export interface PlantedSentence {
  readonly type: PlantedType;
  readonly text: string;
  readonly sentence: string;
}

/**
 * Sentences with invented personal data, by project. Cards are the test numbers of payment providers, social security
 * numbers are made up in a well-formed range, addresses come from the ranges for documentation (RFC 5737, RFC 3849),
 * telephone numbers from those kept for fiction.
 */
export const PLANTED: Readonly<Record<string, readonly PlantedSentence[]>> = {
  tern: [
    {
      type: "ip",
      text: "192.0.2.44",
      sentence: "The logger that reset last night answers at 192.0.2.44 on the test network.",
    },
    {
      type: "ip",
      text: "198.51.100.23",
      sentence: "The update server has moved to 198.51.100.23, please change your scripts.",
    },
    {
      type: "ip",
      text: "2001:db8:85a3::8a2e:370:7334",
      sentence: "Over IPv6 the same server is 2001:db8:85a3::8a2e:370:7334 and works too.",
    },
    {
      type: "phone",
      text: "+1 206-555-0187",
      sentence: "If the modem hangs again call me at +1 206-555-0187, day or night.",
    },
  ],
  finance: [
    {
      type: "ssn",
      text: "734-18-2946",
      sentence: "For the American tax form: the social security number of our contractor is 734-18-2946.",
    },
    {
      type: "credit_card",
      text: "4111 1111 1111 1111",
      sentence: "The hotel deposit went on the company card 4111 1111 1111 1111, please book it.",
    },
    {
      type: "credit_card",
      text: "5555-5555-5555-4444",
      sentence: "The old card 5555-5555-5555-4444 is blocked since Monday.",
    },
    {
      type: "ssn",
      text: "741-55-0382",
      sentence: "The second form needs 741-55-0382 in the field for the social security number.",
    },
    {
      type: "email",
      text: "billing.team@kuestenamt-nord.example",
      sentence: "Send the corrected invoice to billing.team@kuestenamt-nord.example instead.",
    },
  ],
  fair: [
    {
      type: "credit_card",
      text: "378282246310005",
      sentence: "The booking office took the American Express card 378282246310005 for the rooms.",
    },
    {
      type: "phone",
      text: "+44 1632 960455",
      sentence: "The hotel reception is at +44 1632 960455 if the late check-in fails.",
    },
    {
      type: "credit_card",
      text: "6011 1111 1111 1117",
      sentence: "For the flights they wanted another card, so I gave them 6011 1111 1111 1117.",
    },
  ],
  hiring: [
    {
      type: "email",
      text: "candidate.two@mailbox.example",
      sentence: "The candidate prefers to be reached at candidate.two@mailbox.example from now on.",
    },
    {
      type: "phone",
      text: "(206) 555-0163",
      sentence: "The former employer can be called for a reference at (206) 555-0163 in the afternoon.",
    },
    {
      type: "ssn",
      text: "748-02-7715",
      sentence: "The background check for the trial day ran under 748-02-7715 and came back clean.",
    },
  ],
  aldmere: [
    {
      type: "phone",
      text: "+44 1632 960777",
      sentence: "The crane operator at the quay answers +44 1632 960777 before eight.",
    },
    {
      type: "email",
      text: "lot.office@port-aldmere.example",
      sentence: "Delivery notes go to lot.office@port-aldmere.example and nobody else.",
    },
  ],
  quay: [
    {
      type: "ip",
      text: "203.0.113.9",
      sentence: "The router in the cellar of the new office already answers at 203.0.113.9.",
    },
  ],
};
