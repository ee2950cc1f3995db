import { buildZip, type ZipPart } from "./zip-file.ts";

/** Content of an element: text, or elements. */
type Content = string | { readonly elements: string };
/** Fields of an item by element name. */
type Fields = Readonly<Record<string, Content>>;

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/** An element in the form that Outlook writes. */
function element(name: string, content: Content): string {
  const written = typeof content === "string" ? escapeXml(content) : content.elements;
  return `<${name} xml:space="preserve">${written}</${name}>`;
}

/** Elements in an element. */
export function elements(fields: Fields): Content {
  return {
    elements: Object.entries(fields)
      .map(([name, content]) => element(name, content))
      .join("\n"),
  };
}

/** A file of items: `emails` of `email`, `contacts` of `contact` and so on. */
export function olmFile(root: string, items: readonly (readonly [string, Fields])[]): string {
  const written = items.map(([name, fields]) => element(name, elements(fields))).join("\n");
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xml:space="preserve" elementCount="${items.length}">${written}</${root}>`;
}

/** Elements that contain only attributes. */
export function listed(name: string, ...items: readonly Readonly<Record<string, string>>[]): Content {
  const written = items.map((attributes) => {
    const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
    return `<${name} xml:space="preserve"${pairs.join("")}></${name}>`;
  });
  return { elements: written.join("") };
}

export function mailboxes(...addresses: readonly (readonly [name: string, email: string])[]): Content {
  const items = addresses.map(([name, email]) => ({
    OPFContactEmailAddressAddress: email,
    OPFContactEmailAddressName: name,
    OPFContactEmailAddressType: "0",
  }));
  return listed("emailAddress", ...items);
}

export function categories(...names: readonly string[]): Content {
  return listed("category", ...names.map((name) => ({ OPFCategoryCopyName: name })));
}

/** A mail as stored by Outlook 2016, with the given fields replaced. */
export function olmMail(fields: Fields): Fields {
  return {
    OPFMessageCopyMessageID: "<1.report@site.example>",
    OPFMessageCopySubject: "Report on buoy 4",
    OPFMessageCopyFromAddresses: mailboxes(["Ann Reed", "ann@site.example"]),
    OPFMessageCopySenderAddress: mailboxes(["Ann Reed", "ann@site.example"]),
    OPFMessageCopyToAddresses: mailboxes(["Bob Hale", "bob@site.example"]),
    OPFMessageCopySentTime: "2016-05-09T08:30:00",
    OPFMessageCopyReceivedTime: "2016-05-09T08:30:07",
    OPFMessageCopyBody: "The mooring holds.\n",
    OPFMessageGetIsRead: "1E0",
    OPFMessageGetHasHTML: "0E0",
    ...fields,
  };
}

const MESSAGES = "Accounts/ann@site.example/com.microsoft.__Messages";
export const ATTACHMENT_PATH = `${MESSAGES}/Inbox/com.microsoft.__Attachments/chart_0001`;

/** Parts of an archive that has an item of each kind. */
export function sampleParts(): readonly ZipPart[] {
  const report = olmMail({
    OPFMessageCopyHTMLBody: '<p>The <b>mooring</b> holds &amp; turns.</p><img src="cid:chart@site.example">',
    OPFMessageCopyAttachmentList: listed("messageAttachment", {
      OPFAttachmentContentID: "chart@site.example",
      OPFAttachmentContentType: "image/png",
      OPFAttachmentName: "chart.png",
      OPFAttachmentURL: ATTACHMENT_PATH,
    }),
  });
  return [
    { name: "Categories.xml", content: olmFile("categories", [["category", { OPFCategoryCopyName: "Sea" }]]) },
    { name: `${MESSAGES}/Inbox/message_00001.xml`, content: olmFile("emails", [["email", report]]) },
    {
      name: `${MESSAGES}/Inbox/Buoys/message_00002.xml`,
      content: olmFile("emails", [["email", olmMail({ OPFMessageCopyMessageID: "2@site.example" })]]),
    },
    { name: ATTACHMENT_PATH, content: Buffer.from("chart bytes") },
    {
      name: "Accounts/ann@site.example/Address Book/Contacts.xml",
      content: olmFile("contacts", [["contact", { OPFContactCopyDisplayName: "Bob Hale" }]]),
    },
    {
      name: "Accounts/ann@site.example/Calendar/Calendar.xml",
      content: olmFile("appointments", [["appointment", { OPFCalendarEventCopySummary: "Survey" }]]),
    },
    {
      name: "Accounts/ann@site.example/Tasks/Tasks.xml",
      content: olmFile("tasks", [["task", { OPFTaskCopyName: "Paint the buoy" }]]),
    },
    {
      name: "Accounts/ann@site.example/Notes/Notes.xml",
      content: olmFile("notes", [["note", { OPFNoteCopyTitle: "Depths", OPFNoteCopyText: "12 m at low tide" }]]),
    },
  ];
}

/** An archive of Outlook for Mac with an item of each kind. */
export function sampleOlm(): Buffer {
  return buildZip(sampleParts());
}
