import { csvAttachment } from "./attachments.ts";
import { DAY, HOUR, MINUTE } from "./dates.ts";
import { type Draft, draftOf, type Identity } from "./draft.ts";
import { personOf } from "./people.ts";
import type { SeededRandom } from "./seeded-random.ts";

const ENGINEERING: Identity = { name: "Engineering", email: "engineering@halvorsen-pike.example" };
const LIST: Identity = { name: "", email: "buoys@lists.oceantech-fair.example" };
const LIST_FIELDS = [
  ["List-Id", "Wave buoy operators <buoys.lists.oceantech-fair.example>"],
  ["List-Unsubscribe", "<mailto:buoys-leave@lists.oceantech-fair.example>"],
  ["Precedence", "list"],
] as const;
const AUTOMATIC = [["Auto-Submitted", "auto-generated"]] as const;

/** Mail that no person wrote, and mail that went to many. */
export function robotDrafts(firstDay: number, random: SeededRandom): Draft[] {
  return [
    ...buildReports(firstDay, random),
    ...batteryAlerts(firstDay, random),
    ...newsletters(firstDay),
    ...absences(firstDay),
    ...listMail(firstDay, random),
  ];
}

function buildReports(firstDay: number, random: SeededRandom): Draft[] {
  return Array.from({ length: 6 }, (_, index) => {
    const failed = random.below(4);
    return draftOf({
      from: { name: "Build Server", email: "build@halvorsen-pike.example" },
      to: [{ name: "Tomás Reyes", email: personOf("tomas").email }, ENGINEERING],
      subject: `[build] tern-firmware nightly ${failed === 0 ? "passed" : "FAILED"}`,
      sentAt: firstDay + (90 + index * 41) * DAY + 2 * HOUR,
      paragraphs: [
        `Nightly build of tern-firmware finished.\nTests: ${random.between(180, 210)} passed, ${failed} failed.`,
        "This message was sent by a machine. Nobody reads answers.",
      ],
      program: "mutt",
      fields: AUTOMATIC,
      attachments:
        failed === 0
          ? []
          : [
              csvAttachment("failed-tests.csv", [
                ["test", "ms"],
                ...Array.from({ length: failed }, (__, row) => [`power-cut-${row}`, random.below(5000)]),
              ]),
            ],
      project: "robots",
    });
  });
}

function batteryAlerts(firstDay: number, random: SeededRandom): Draft[] {
  return Array.from({ length: 6 }, (_, index) => {
    const buoy = random.between(1, 9);
    return draftOf({
      from: { name: "", email: "alerts@monitoring.halvorsen-pike.example" },
      to: [{ name: "", email: index % 2 === 0 ? personOf("tomas").email : personOf("office").email }],
      subject: `ALERT: buoy ${buoy} battery low`,
      sentAt: firstDay + (200 + index * 33) * DAY + random.between(0, 23) * HOUR,
      paragraphs: [`Buoy ${buoy}: battery ${random.between(98, 115) / 10} V, below the limit of 11.6 V.`],
      program: "mutt",
      fields: AUTOMATIC,
      project: "robots",
    });
  });
}

function newsletters(firstDay: number): Draft[] {
  return ["Spring issue: tides and tenders", "Summer issue: meet the exhibitors", "Autumn issue: the talks"].map(
    (subject, index) =>
      draftOf({
        from: { name: "OceanTech Fair", email: "newsletter@oceantech-fair.example" },
        to: [
          { name: "Greta Halvorsen", email: personOf("greta").email },
          { name: "Office", email: personOf("office").email },
        ],
        subject,
        sentAt: firstDay + (40 + index * 150) * DAY + 6 * HOUR,
        paragraphs: [
          "Dear exhibitor,",
          "The fair opens its doors again. Read in this issue who is coming, what the talks are about, and how to order electricity for your booth.",
          "You receive this newsletter because you were an exhibitor.",
        ],
        program: "gmail",
        fields: [
          ["List-Unsubscribe", "<mailto:newsletter-leave@oceantech-fair.example>"],
          ["Precedence", "bulk"],
        ],
        project: "robots",
      }),
  );
}

function absences(firstDay: number): Draft[] {
  return (["ruth", "jonas", "noor"] as const).map((key, index) => {
    const { first, last, email } = personOf(key);
    return draftOf({
      from: { name: `${first} ${last}`, email },
      to: [{ name: "Greta Halvorsen", email: personOf("greta").email }],
      subject: "Automatic reply: out of office",
      sentAt: firstDay + (150 + index * 90) * DAY + 9 * HOUR + index * MINUTE,
      paragraphs: ["I am out of the office until Monday and will answer your message when I am back.", first],
      program: "outlook",
      fields: [
        ["Auto-Submitted", "auto-replied"],
        ["X-Auto-Response-Suppress", "All"],
      ],
      project: "robots",
    });
  });
}

/** A question to a mailing list and its answers, as the list delivered them to one subscriber. */
function listMail(firstDay: number, random: SeededRandom): Draft[] {
  const posts: readonly (readonly [by: string, text: string])[] = [
    [
      "heike",
      "Does anybody have experience with barnacles on the sensor head? After four months our conductivity cell was overgrown and the salinity drifted by half a unit.",
    ],
    [
      "sam",
      "We paint the head with a copper coating and scrape it at every service. The cell itself stays bare, but a copper ring around it keeps most of the growth away.",
    ],
    [
      "tomas",
      "A wiper helps as well, but it costs battery. For stations that are visited every six weeks I would stay with the copper ring.",
    ],
    ["heike", "Thank you both, we will try the copper ring. I report in autumn how much grew on it."],
  ];
  let parent: Draft | null = null;
  return posts.map(([key, text], index) => {
    const { first, last, email, program, zone } = personOf(key);
    parent = draftOf({
      from: { name: `${first} ${last}`, email },
      to: [LIST],
      cc: key === "tomas" ? [] : [{ name: "", email: personOf("tomas").email }],
      subject: "[buoys] Barnacles on the sensor head",
      sentAt: firstDay + 310 * DAY + (9 + index * 5) * HOUR + random.below(3600) * 1000,
      zoneHours: zone,
      paragraphs: [text, `${first} ${last}`],
      program: program === "mutt" ? "mutt" : "thunderbird",
      relation: parent === null ? null : { kind: "reply", parent },
      fields: LIST_FIELDS,
      project: "list",
    });
    return parent;
  });
}
