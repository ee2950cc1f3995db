/** What the company writes about. Prose is drawn from these pools, so each project keeps its own words. */
export interface Project {
  readonly key: string;
  /** Keys of people; the first writes most openings. */
  readonly members: readonly string[];
  readonly threads: readonly { readonly subject: string; readonly opening: string }[];
  readonly updates: readonly string[];
  readonly questions: readonly string[];
  readonly answers: readonly string[];
}

export const PROJECTS: readonly Project[] = [
  {
    key: "kittiwake",
    members: ["tomas", "jonas", "greta", "elena", "marek", "sam"],
    threads: [
      {
        subject: "Kittiwake hull: first drawings",
        opening:
          "The first drawings of the Kittiwake hull are ready. The buoy is 60 centimetres across, the mast folds, and the accelerometer sits at the centre of gravity where the wave spectrum comes out cleanest.",
      },
      {
        subject: "Mooring line for the Kittiwake buoy",
        opening:
          "We have to choose the mooring line for the Kittiwake before the sea trial. Rubber cord follows the waves better than chain, but chain survives the winter storms.",
      },
      {
        subject: "Battery life at minus ten degrees",
        opening:
          "The lithium pack of the wave buoy lost a third of its capacity in the cold chamber. At minus ten degrees the buoy would sleep after nineteen days instead of thirty.",
      },
      {
        subject: "Sea trial off Aldmere",
        opening:
          "The weather window for the sea trial off Aldmere opens on Tuesday. We tow both buoys out, moor them two hundred metres apart and compare the wave heights for a week.",
      },
      {
        subject: "Leak at the antenna gland",
        opening:
          "Buoy number two came back with a cup of sea water in the hull. The leak is at the antenna gland: the seal was pinched when the mast was folded.",
      },
      {
        subject: "Kittiwake production batch",
        opening:
          "Production of the first Kittiwake batch starts in four weeks. Moulds for the hull are paid, the solar panels are here, and the accelerometer boards arrive on Thursday.",
      },
    ],
    updates: [
      "The new hull floats two centimetres deeper than the model said, which the mast ballast explains.",
      "Wave height from the accelerometer agrees with the reference buoy to within four centimetres.",
      "The mooring held through the storm, and the shackle shows no wear.",
      "The solar panel gives {n} watt hours on a cloudy day, enough for a transmission every half hour.",
      "I re-drew the lid so that the seal cannot be pinched when the mast folds.",
      "The foam core passed the crush test at {n} kilonewtons.",
      "Salt had crept under the coating at the waterline, so the hull gets a second layer.",
      "The keel weight moves the roll period away from the short waves of the fjord.",
      "The buoy lost its position for an hour because the antenna was under water.",
      "The mould maker confirmed the hull for week {n}.",
    ],
    questions: [
      "Can the mast take the load of an icing event, or do we limit the buoy to ice-free water?",
      "Who brings the spare mooring line to the boat?",
      "Do we keep the rubber cord or go back to chain for the winter?",
      "Is the seal of the antenna gland the same on all hulls?",
      "Should the accelerometer be sampled faster for short waves?",
    ],
    answers: [
      "Rubber cord for the summer, chain from October: the wave spectrum is better and nothing breaks.",
      "I would move the battery below the waterline, that also helps the roll.",
      "The hull drawing is released as revision {n}; please build only from that one.",
      "The sea trial shows that the buoy follows the waves beautifully, I am very happy with it.",
      "The gland is now potted, and the hull stayed dry for {n} hours at two metres.",
    ],
  },
  {
    key: "tern",
    members: ["priya", "tomas", "olu", "sam", "aiko"],
    threads: [
      {
        subject: "Tern 4 firmware: release plan",
        opening:
          "The plan for the Tern 4 firmware: feature freeze in three weeks, then two weeks on the test bench, then the release. The bootloader changes, so every logger in the field needs the two-step update.",
      },
      {
        subject: "Watchdog resets on loggers in the field",
        opening:
          "Six loggers in the field reset every night at the same time. The watchdog fires because the modem driver waits for a network that is switched off for maintenance.",
      },
      {
        subject: "Telemetry packets out of order",
        opening:
          "The server sees telemetry packets out of order since the last firmware. The queue in flash is written in one order and read in another when the modem reconnects.",
      },
      {
        subject: "Bootloader signature check",
        opening:
          "The bootloader should refuse firmware images without our signature. I have a branch that checks the signature in under a second and falls back to the old image when it fails.",
      },
      {
        subject: "Flash wear in the Tern logger",
        opening:
          "The flash of the oldest Tern logger is worn out after four years. The firmware writes the telemetry index to the same page every ten minutes, and that page is dead.",
      },
      {
        subject: "Code review: modem driver",
        opening:
          "The modem driver is ready for review. The state machine is a table now, the timeouts are named, and the watchdog is fed from one place only.",
      },
    ],
    updates: [
      "The nightly build passed all {n} tests on the bench, including the power-cut test.",
      "I found the bug: the interrupt handler and the modem driver share a buffer without a lock.",
      "The new queue survives a reset in the middle of a flash write.",
      "Memory use of the firmware is down to {n} kilobytes after the string tables were merged.",
      "The bootloader rolls back cleanly when the image is cut short.",
      "Telemetry from all test loggers is complete since Monday, not one packet is missing.",
      "The watchdog log now records which task was late.",
      "The modem needs {n} seconds to register, so the timeout was simply too short.",
      "I pushed the fix to the release branch and added a regression test for the packet order.",
      "Compiling with the new toolchain made the firmware eight percent smaller.",
    ],
    questions: [
      "Can somebody send me the debug log of a logger that reset last night?",
      "Do we ship the signature check in this firmware or in the next release?",
      "Does the server accept telemetry packets that arrive twice?",
      "How many loggers in the field still run the old bootloader?",
      "Is the flash page size the same on the new chip?",
    ],
    answers: [
      "Release it: the regression test is green and the watchdog has been quiet for a week.",
      "The server drops duplicates by sequence number, so resending a packet is safe.",
      "We write the index to sixteen pages in turn, which gives the flash sixty years.",
      "Please do not merge before the power-cut test ran overnight, the last time was terrible.",
      "Firmware {n} is on the update server; loggers pick it up at their next connection.",
    ],
  },
  {
    key: "aldmere",
    members: ["pike", "greta", "noor", "lars", "ruth", "office"],
    threads: [
      {
        subject: "Port of Aldmere: tender for twelve buoys",
        opening:
          "The Port of Aldmere has published its tender: twelve buoys, five years of maintenance, delivery in two lots. The offer is due at the end of the month and the bid bond is four percent.",
      },
      {
        subject: "Contract draft, penalty clause",
        opening:
          "The contract draft of the port has a penalty clause of one percent a week without a cap. Counsel suggests a cap of ten percent and a grace period for storms.",
      },
      {
        subject: "Pricing of the maintenance contract",
        opening:
          "The price of the maintenance contract covers two visits a year for each buoy. With the new boat rates we lose money from the third year on.",
      },
      {
        subject: "Delivery of lot one",
        opening:
          "Lot one of the contract is due at the port on the 15th. Six buoys, moorings and the shore station; the port provides the crane and the quay.",
      },
      {
        subject: "Acceptance protocol for the port",
        opening:
          "The acceptance protocol lists what the port will check before it pays: position, wave height, battery, and thirty days of data without a gap.",
      },
    ],
    updates: [
      "The tender committee meets on the {n}th and we are one of three bidders.",
      "Our offer is signed, sealed and delivered; the bid bond is with the bank.",
      "The penalty clause is now capped at ten percent of the lot price.",
      "The port accepts our liability limit if the insurance certificate names it.",
      "The crane at the quay is booked from eight until noon.",
      "Counsel returned the contract with {n} comments, most of them about warranty.",
      "The maintenance price was recalculated with the new boat rates.",
      "The port signed the acceptance protocol for four of six buoys.",
      "Purchase order {n} has arrived from the port's procurement office.",
    ],
    questions: [
      "Can we offer a lower price if the port takes all twelve buoys in one lot?",
      "Who signs the contract on the port's side?",
      "Does the warranty start at delivery or at acceptance?",
      "Is the penalty counted by calendar week or by working days?",
    ],
    answers: [
      "The warranty starts at acceptance; that was agreed in the tender meeting.",
      "The port will not pay the second instalment before the protocol is signed.",
      "We can give three percent for a single lot, not more.",
      "I am disappointed that the clause is back in the draft; we had rejected it twice.",
      "Thank you, the contract in this form is acceptable to the port.",
    ],
  },
  {
    key: "quay",
    members: ["office", "greta", "bettina", "marek", "wendy", "olu"],
    threads: [
      {
        subject: "New office on Quay Street",
        opening:
          "The letting agent has found us an office on Quay Street: two floors, a workshop with a gate to the water, and room for thirty desks. The lease would start in September.",
      },
      {
        subject: "Moving day: boxes and labels",
        opening:
          "The movers come on Friday at seven. Everybody packs their own desk; labels with the room number go on the long side of each box.",
      },
      {
        subject: "Furniture for the meeting rooms",
        opening:
          "We need furniture for three meeting rooms on Quay Street. I would take the big oak table with us and buy chairs, because the old chairs squeak.",
      },
      {
        subject: "Kitchen and coffee machine",
        opening:
          "The kitchen on Quay Street has no dishwasher yet. The landlord pays for the plumbing if we buy the machine, and the coffee machine needs its own fuse.",
      },
      {
        subject: "Network cabinet and fibre",
        opening:
          "The fibre provider needs access to the cellar of the new office. The network cabinet stays where it is, and the cabling to the desks takes three days.",
      },
    ],
    updates: [
      "The lease is signed and the deposit is paid.",
      "The painters finish the second floor in week {n}.",
      "There are {n} parking spaces in the courtyard, two of them with chargers.",
      "The landlord repairs the gate of the workshop before we move.",
      "All keys are numbered and in the blue box at the reception desk.",
      "The movers bring {n} boxes on Wednesday; please take what you need.",
      "The coffee machine is connected, which improves the mood on the first floor a lot.",
      "The old office must be empty and swept by the end of the month.",
    ],
    questions: [
      "Who wants a desk at the window, and who prefers the quiet corner?",
      "Can the workshop floor carry the cold chamber?",
      "Shall we keep the old sofa or give it away?",
      "When does the fibre provider come to the cellar?",
    ],
    answers: [
      "The floor of the workshop carries two tonnes per square metre, so the chamber is no problem.",
      "I have put the seating plan on the wall next to the kitchen.",
      "The sofa goes to the youth club on Harbour Road, they were delighted.",
      "The landlord agrees to everything but the second sign above the door.",
    ],
  },
  {
    key: "hiring",
    members: ["greta", "tomas", "felix", "office", "olu"],
    threads: [
      {
        subject: "Hiring an electronics engineer",
        opening:
          "We are looking for an electronics engineer with experience in low-power design. The recruiter has sent nine candidates, and four of them are worth an interview.",
      },
      {
        subject: "Interview schedule for candidates",
        opening:
          "The interviews with the candidates are on two afternoons. Each candidate gets an hour with engineering, half an hour with me, and a tour of the workshop.",
      },
      {
        subject: "Offer letter and start date",
        opening:
          "We would like to make an offer to the second candidate. The salary is within the range that was advertised, and the start date would be the first of the quarter.",
      },
      {
        subject: "Onboarding plan for the new engineer",
        opening:
          "The onboarding plan for our new engineer: first week with the calibration laboratory, second week with firmware, then the first project of their own.",
      },
    ],
    updates: [
      "The candidate solved the low-power exercise in half the time and asked good questions.",
      "The recruiter says that two candidates have other offers on the table.",
      "References from the former employer are excellent.",
      "The advert was seen {n} times and brought eleven applications.",
      "The employment contract is with counsel for a last look.",
      "The laptop and the badge for the new colleague are ordered.",
    ],
    questions: [
      "Who can take part in the interview on Thursday afternoon?",
      "Is the candidate willing to go to sea for field work?",
      "Should we ask for a trial day in the laboratory?",
      "What notice period does the candidate have?",
    ],
    answers: [
      "I was impressed by the interview: calm, precise and funny.",
      "The candidate has accepted the offer and starts on the first.",
      "I would not hire this candidate, the answers about noise were weak.",
      "The salary is fine, but the notice period is three months.",
    ],
  },
  {
    key: "calibration",
    members: ["aiko", "tomas", "hugo", "office", "jonas"],
    threads: [
      {
        subject: "Accreditation audit of the calibration laboratory",
        opening:
          "The accreditation audit of our calibration laboratory is set for November. The auditor wants the uncertainty budget, the certificates of the reference thermometers and the training records.",
      },
      {
        subject: "Uncertainty budget for temperature",
        opening:
          "The uncertainty budget for temperature is dominated by the drift of the reference thermometer. With a yearly certificate we reach twelve millikelvin, which the customers ask for.",
      },
      {
        subject: "Reference thermometer out of tolerance",
        opening:
          "The reference thermometer came back from the institute six millikelvin out of tolerance. All certificates since March may be affected and I have started the impact analysis.",
      },
      {
        subject: "Pressure balance and new weights",
        opening:
          "The pressure balance needs a new set of weights. The institute can calibrate them in five weeks, so the pressure certificates will be late.",
      },
      {
        subject: "Salinity bath stability",
        opening:
          "The salinity bath is stable to two parts per million after the new stirrer was fitted. That makes it the best bath we ever had.",
      },
    ],
    updates: [
      "The bath is stable to {n} millikelvin over four hours.",
      "All certificates of the quarter were checked, three have to be re-issued.",
      "The auditor accepted the corrective action and closed finding {n}.",
      "The training record of the new colleague is complete.",
      "I compared the two reference thermometers at five points; they agree within the uncertainty.",
      "The room temperature log shows a step when the heating starts at six.",
      "The procedure for the pressure balance is at revision {n} now.",
    ],
    questions: [
      "Which customers received a certificate that is based on the drifting thermometer?",
      "Can the audit take place on Quay Street, or do we need the old laboratory?",
      "Is the uncertainty stated with a coverage factor of two?",
      "How long may a thermometer be used after its certificate ends?",
    ],
    answers: [
      "The coverage factor is two, as the procedure says in its third section.",
      "Four certificates are affected; I will write to the customers today.",
      "The finding is minor and the laboratory makes a good impression.",
      "The thermometer was dropped in March, that explains the step. I am sorry.",
    ],
  },
  {
    key: "fair",
    members: ["pike", "office", "mina", "elena", "aiko", "greta"],
    threads: [
      {
        subject: "OceanTech fair: booth and brochure",
        opening:
          "Our booth at the OceanTech fair is number 4.117, nine square metres with a corner. We show one Kittiwake in a water tank and need a new brochure by May.",
      },
      {
        subject: "Hotel and flights for the fair",
        opening:
          "Hotels for the fair are nearly full. I have reserved five rooms near the station until Friday, and the flights are still cheap if we book this week.",
      },
      {
        subject: "Brochure text and photos",
        opening:
          "Here is the brochure text for the fair in three languages. The photos of the buoy at sunset are lovely, but the logo on the mast is out of date.",
      },
      {
        subject: "After the fair: leads to follow up",
        opening:
          "We came home from the fair with forty-one leads. Seven visitors want an offer for buoys, and one harbour asked for a demonstration in spring.",
      },
    ],
    updates: [
      "The water tank for the booth holds {n} litres and needs a carpet underneath.",
      "The brochure is at the printer; two thousand copies arrive before the fair.",
      "The organiser confirmed our talk on the second stage at eleven.",
      "Visitors loved the buoy in the tank; we had a crowd every afternoon.",
      "The flights are booked, the tickets come by separate mail.",
      "The booth builder wants the final drawing by week {n}.",
    ],
    questions: [
      "Who stays at the booth on the last day of the fair?",
      "Does the hotel offer a late check-out for the team?",
      "Can the organiser lend us a second screen for the booth?",
      "Do we print the prices in the brochure?",
    ],
    answers: [
      "No prices in the brochure; visitors should talk to us at the booth.",
      "The organiser lends us a screen at no cost, how nice of them.",
      "Two rooms were overbooked and the hotel was very unhelpful, so we moved.",
      "I follow up the leads from the fair this week and report on Friday.",
    ],
  },
  {
    key: "finance",
    members: ["wendy", "greta", "pike", "office", "marek"],
    threads: [
      {
        subject: "Quarterly forecast",
        opening:
          "The forecast for the quarter shows revenue above plan and cash below it, because two invoices of the port are still open. The bank asks for the figures by the tenth.",
      },
      {
        subject: "Unpaid invoices",
        opening:
          "Three invoices are more than sixty days overdue. Together they are {money}, and I would send a second reminder before we stop deliveries.",
      },
      {
        subject: "Budget for next year",
        opening:
          "Please send me the budget of your department for next year. Investments above five thousand need a sentence that says why, and travel goes into its own line.",
      },
      {
        subject: "VAT on services abroad",
        opening:
          "The tax adviser says that the maintenance visits abroad are invoiced without VAT when the customer has a valid VAT number. Two invoices have to be corrected.",
      },
      {
        subject: "Expenses: please hand in receipts",
        opening:
          "The accounts for the month close on Friday. Please hand in your receipts; without a receipt the expense cannot be paid back.",
      },
    ],
    updates: [
      "The invoice over {money} was paid this morning.",
      "The bank extended the credit line until the end of the year.",
      "Payroll ran without errors and the payslips are in the portal.",
      "The forecast was updated with the new delivery dates; revenue moves to the next quarter.",
      "Travel costs are {n} percent above budget because of the fair.",
      "The auditors asked for the inventory list and the signed contracts.",
      "The customer disputes the invoice, because the delivery note was missing.",
    ],
    questions: [
      "Which cost centre does the water tank belong to?",
      "Can we invoice the second lot before acceptance?",
      "Is the payment term thirty or sixty days?",
      "Who approves expenses while Greta is away?",
    ],
    answers: [
      "The payment term is thirty days net, as printed on the invoice.",
      "I approve it; please book it under marketing.",
      "The reminder worked: they paid and apologised.",
      "This is the third wrong invoice from them this year, which is annoying.",
    ],
  },
];

export const GREETINGS = ["Hi {name},", "Hello {name},", "Dear {name},", "{name},", "Good morning {name},"] as const;
export const THANKS = [
  "Thanks for this.",
  "Thank you for the quick reply.",
  "Good news.",
  "Understood.",
  "Thanks, that helps a lot.",
  "I see.",
] as const;
export const CLOSINGS = ["Best regards,", "Kind regards,", "Cheers,", "Best,", "Thanks,"] as const;
