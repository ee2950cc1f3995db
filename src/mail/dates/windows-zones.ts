/**
 * Windows time zones by name, including withdrawn ones: the IANA zone, then the display names, separated by a bar.
 * Outlook and Exchange write the names as TZID and into time zone structures. Outlook up to 2003 wrote `(GMT-06:00)
 * Central Time (US & Canada)` next to a rule without a name, and Exchange 2000 to 2007 used such display names too.
 * Sources: territory 001 of windowsZones in the Unicode CLDR (Unicode License V3); the values `Display` of the registry
 * key `Time Zones` in Windows NT 4 (TIMEZONE.DOC), 2000, XP, 2003, Vista, 7, 8 and 10 (Microsoft, "Default Time
 * Zones"), and the descriptions of CdoTimeZoneId in Exchange 5.5, 2000 and 2007 (Microsoft, "CdoTimeZoneId Enum"). The
 * cities of a zone changed between releases; a display name that meant two zones is listed with the zone of the city
 * itself. One form is enough where forms differ only in punctuation.
 */
export const WINDOWS_ZONES: Readonly<Record<string, string>> = {
  "Afghanistan Standard Time": "Asia/Kabul|Kabul",
  "Alaskan Standard Time": "America/Anchorage|Alaska",
  "Aleutian Standard Time": "America/Adak|Aleutian Islands",
  "Altai Standard Time": "Asia/Barnaul|Barnaul, Gorno-Altaysk",
  "Arab Standard Time": "Asia/Riyadh|Kuwait, Riyadh|Baghdad, Kuwait, Riyadh|Riyadh",
  "Arabian Standard Time": "Asia/Dubai|Abu Dhabi, Muscat|Abu Dhabi, Muscat, Baku, Tbilisi",
  "Arabic Standard Time": "Asia/Baghdad|Baghdad",
  "Argentina Standard Time": "America/Buenos_Aires|Buenos Aires|City of Buenos Aires",
  "Armenian Standard Time": "Asia/Yerevan",
  "Astrakhan Standard Time": "Europe/Astrakhan|Astrakhan, Ulyanovsk",
  "Atlantic Standard Time": "America/Halifax|Atlantic Time (Canada)|Atlantic Time",
  "AUS Central Standard Time": "Australia/Darwin|Darwin",
  "Aus Central W. Standard Time": "Australia/Eucla|Eucla",
  "AUS Eastern Standard Time": "Australia/Sydney|Canberra, Melbourne, Sydney|Melbourne, Sydney|Sydney",
  "Azerbaijan Standard Time": "Asia/Baku|Baku|Baku, Tbilisi|Baku, Tbilisi, Yerevan",
  "Azores Standard Time": "Atlantic/Azores|Azores|Azores, Cape Verde Is.",
  "Bahia Standard Time": "America/Bahia|Salvador",
  "Bangladesh Standard Time": "Asia/Dhaka|Dhaka",
  "Belarus Standard Time": "Europe/Minsk|Minsk",
  "Bougainville Standard Time": "Pacific/Bougainville|Bougainville Island",
  "Canada Central Standard Time": "America/Regina|Saskatchewan",
  "Cape Verde Standard Time": "Atlantic/Cape_Verde|Cape Verde Is.|Cabo Verde Is.|Cape Verde Islands",
  "Caucasus Standard Time": "Asia/Yerevan|Yerevan|Caucasus Standard Time",
  "Cen. Australia Standard Time": "Australia/Adelaide|Adelaide",
  "Central America Standard Time": "America/Guatemala|Central America",
  "Central Asia Standard Time": "Asia/Almaty|Astana, Dhaka|Almaty, Dhaka|Astana|Nur-Sultan|Bishkek|Almaty",
  "Central Brazilian Standard Time": "America/Cuiaba|Manaus|Cuiaba",
  "Central Europe Standard Time":
    "Europe/Budapest|Belgrade, Bratislava, Budapest, Ljubljana, Prague|Prague, Budapest" +
    "|Belgrade, Prague, Warsaw, Budapest|Belgrade, Pozsony, Budapest, Ljubljana, Prague" +
    "|Bratislava, Budapest, Ljubljana, Prague, Warsaw|Belgrade, Sarajevo, Skopje, Sofija, Zagreb|Prague",
  "Central European Standard Time":
    "Europe/Warsaw|Sarajevo, Skopje, Warsaw, Zagreb|Sarajevo, Skopje, Sofija, Vilnius, Warsaw, Zagreb|Warsaw" +
    "|Sarajevo, Warsaw, Zagreb|Skopje, Sofija, Vilnius, Warsaw, Zagreb|Sarajevo, Sofija, Warsaw, Zagreb" +
    "|Lisbon, Warsaw",
  "Central Pacific Standard Time":
    "Pacific/Guadalcanal|Magadan, Solomon Is., New Caledonia|Solomon Is., New Caledonia" +
    "|Magadan, Solomon Islands, New Caledonia",
  "Central Standard Time": "America/Chicago|Central Time (US & Canada)|Central Time",
  "Central Standard Time (Mexico)":
    "America/Mexico_City|Guadalajara, Mexico City, Monterrey|Mexico City, Tegucigalpa|Mexico City" +
    "|Guadalajara, Mexico City, Monterrey - New|Guadalajara, Mexico City, Monterrey - Old",
  "Chatham Islands Standard Time": "Pacific/Chatham|Chatham Islands",
  "China Standard Time":
    "Asia/Shanghai|Beijing, Chongqing, Hong Kong, Urumqi|Beijing, Chongqing, Hong Kong SAR, Urumqi" +
    "|Beijing, Hong Kong, Singapore, Taipei|Hong Kong, Perth, Singapore, Taipei" +
    "|Hong Kong SAR, Perth, Singapore, Taipei|Beijing",
  "Cuba Standard Time": "America/Havana|Havana",
  "Dateline Standard Time": "Etc/GMT+12|International Date Line West|Eniwetok, Kwajalein",
  "E. Africa Standard Time": "Africa/Nairobi|Nairobi",
  "E. Australia Standard Time": "Australia/Brisbane|Brisbane|Brisbane, Melbourne, Sydney|Brisbane, Melbourne",
  "E. Europe Standard Time": "Europe/Chisinau|Bucharest|Chisinau|Eastern Europe|E. Europe",
  "E. South America Standard Time": "America/Sao_Paulo|Brasilia",
  "Easter Island Standard Time": "Pacific/Easter|Easter Island",
  "Eastern Standard Time": "America/New_York|Eastern Time (US & Canada)|Eastern Time",
  "Eastern Standard Time (Mexico)": "America/Cancun|Chetumal",
  "Egypt Standard Time": "Africa/Cairo|Cairo",
  "Ekaterinburg Standard Time": "Asia/Yekaterinburg|Ekaterinburg|Yekaterinburg",
  "Fiji Standard Time":
    "Pacific/Fiji|Fiji, Kamchatka, Marshall Is.|Fiji, Marshall Is.|Fiji|Fiji Islands, Kamchatka, Marshall Islands",
  "FLE Standard Time":
    "Europe/Kiev|Helsinki, Kyiv, Riga, Sofia, Tallinn, Vilnius|Helsinki, Kiev, Riga, Sofia, Tallinn, Vilnius" +
    "|Helsinki, Riga, Tallinn|Helsinki, Riga, Tallinn, Vilnius",
  "Georgian Standard Time": "Asia/Tbilisi|Tbilisi",
  "GMT Standard Time":
    "Europe/London|Greenwich Mean Time : Dublin, Edinburgh, Lisbon, London|Dublin, Edinburgh, Lisbon, London" +
    "|Greenwich Mean Time; Dublin, Edinburgh, London|Dublin, Edinburgh, London",
  "Greenland Standard Time": "America/Godthab|Greenland",
  "Greenwich Standard Time":
    "Atlantic/Reykjavik|Casablanca, Monrovia|Monrovia, Reykjavik|Casablanca, Monrovia, Reykjavik|Reykjavik",
  "GTB Standard Time":
    "Europe/Bucharest|Athens, Istanbul, Minsk|Athens, Beirut, Istanbul, Minsk|Athens, Bucharest, Istanbul" +
    "|Athens, Bucharest|Athens, Istanbul|Athens, Helsinki, Istanbul|Athens, Istanbul, Minsk, Bucharest",
  "Haiti Standard Time": "America/Port-au-Prince|Haiti",
  "Hawaiian Standard Time": "Pacific/Honolulu|Hawaii",
  "India Standard Time":
    "Asia/Calcutta|Chennai, Kolkata, Mumbai, New Delhi|Calcutta, Chennai, Mumbai, New Delhi" +
    "|Bombay, Calcutta, Madras, New Delhi",
  "Iran Standard Time": "Asia/Tehran|Tehran",
  "Israel Standard Time": "Asia/Jerusalem|Jerusalem|Israel",
  "Jordan Standard Time": "Asia/Amman|Amman",
  "Kaliningrad Standard Time": "Europe/Kaliningrad|Kaliningrad|Kaliningrad, Minsk",
  "Kamchatka Standard Time": "Asia/Kamchatka",
  "Korea Standard Time": "Asia/Seoul|Seoul",
  "Libya Standard Time": "Africa/Tripoli|Tripoli",
  "Line Islands Standard Time": "Pacific/Kiritimati|Kiritimati Island",
  "Lord Howe Standard Time": "Australia/Lord_Howe|Lord Howe Island",
  "Magadan Standard Time": "Asia/Magadan|Magadan|Magadan, Sakhalin",
  "Magallanes Standard Time": "America/Punta_Arenas|Punta Arenas",
  "Marquesas Standard Time": "Pacific/Marquesas|Marquesas Islands",
  "Mauritius Standard Time": "Indian/Mauritius|Port Louis",
  "Mexico Standard Time": "America/Mexico_City",
  "Mexico Standard Time 2": "America/Mazatlan",
  "Mid-Atlantic Standard Time": "Etc/GMT+2|Mid-Atlantic|Mid-Atlantic - Old",
  "Middle East Standard Time": "Asia/Beirut|Beirut",
  "Montevideo Standard Time": "America/Montevideo|Montevideo",
  "Morocco Standard Time": "Africa/Casablanca|Casablanca",
  "Mountain Standard Time": "America/Denver|Mountain Time (US & Canada)|Mountain Time",
  "Mountain Standard Time (Mexico)":
    "America/Mazatlan|Chihuahua, La Paz, Mazatlan|Chihuahua, La Paz, Mazatlan - New" +
    "|Chihuahua, La Paz, Mazatlan - Old|La Paz, Mazatlan",
  "Myanmar Standard Time": "Asia/Rangoon|Rangoon|Yangon (Rangoon)",
  "N. Central Asia Standard Time":
    "Asia/Novosibirsk|Almaty, Novosibirsk|Novosibirsk|Omsk, Novosibirsk|Almaty, Novosibirsk, North Central Asia",
  "Namibia Standard Time": "Africa/Windhoek|Windhoek",
  "Nepal Standard Time": "Asia/Katmandu|Kathmandu|Katmandu",
  "New Zealand Standard Time": "Pacific/Auckland|Auckland, Wellington|Wellington, Auckland",
  "Newfoundland Standard Time": "America/St_Johns|Newfoundland",
  "Norfolk Standard Time": "Pacific/Norfolk|Norfolk Island",
  "North Asia East Standard Time":
    "Asia/Irkutsk|Irkutsk, Ulaan Bataar|Irkutsk, Ulaanbaatar|Irkutsk|Irkutsk, Ulan Bator",
  "North Asia Standard Time": "Asia/Krasnoyarsk|Krasnoyarsk",
  "North Korea Standard Time": "Asia/Pyongyang|Pyongyang",
  "Omsk Standard Time": "Asia/Omsk|Omsk",
  "Pacific SA Standard Time": "America/Santiago|Santiago",
  "Pacific Standard Time":
    "America/Los_Angeles|Pacific Time (US & Canada)|Pacific Time (US & Canada); Tijuana|Pacific Time",
  "Pacific Standard Time (Mexico)": "America/Tijuana|Tijuana, Baja California|Baja California|Tijuana",
  "Pakistan Standard Time": "Asia/Karachi|Islamabad, Karachi",
  "Paraguay Standard Time": "America/Asuncion|Asuncion",
  "Qyzylorda Standard Time": "Asia/Qyzylorda|Qyzylorda",
  "Romance Standard Time":
    "Europe/Paris|Brussels, Copenhagen, Madrid, Paris|Paris, Madrid, Brussels, Copenhagen|Paris, Madrid" +
    "|Brussels, Copenhagen, Madrid, Paris, Vilnius|Amsterdam, Copenhagen, Madrid, Paris, Vilnius",
  "Russia Time Zone 10": "Asia/Srednekolymsk|Chokurdakh",
  "Russia Time Zone 11":
    "Asia/Kamchatka|Anadyr, Petropavlovsk-Kamchatsky|Petropavlovsk-Kamchatsky - Old|Petropavlovsk-Kamchatsky",
  "Russia Time Zone 3": "Europe/Samara|Izhevsk, Samara",
  "Russian Standard Time":
    "Europe/Moscow|Moscow, St. Petersburg, Volgograd|Moscow, St. Petersburg" +
    "|Moscow, St. Petersburg, Volgograd, Nizhny Novgorod",
  "SA Eastern Standard Time":
    "America/Cayenne|Buenos Aires, Georgetown|Georgetown|Cayenne, Fortaleza|Cayenne|Fortaleza" +
    "|Buenos Aires, Georgetown, Brasilia",
  "SA Pacific Standard Time":
    "America/Bogota|Bogota, Lima, Quito|Bogota, Lima, Quito, Rio Branco|Indiana (East), Bogota, Lima|Bogota, Lima",
  "SA Western Standard Time":
    "America/La_Paz|Caracas, La Paz|La Paz|Georgetown, La Paz, Manaus, San Juan|Georgetown, La Paz, San Juan",
  "Saint Pierre Standard Time": "America/Miquelon|Saint Pierre and Miquelon",
  "Sakhalin Standard Time": "Asia/Sakhalin|Sakhalin",
  "Samoa Standard Time": "Pacific/Apia|Samoa",
  "Sao Tome Standard Time": "Africa/Sao_Tome|Sao Tome",
  "Saratov Standard Time": "Europe/Saratov|Saratov",
  "SE Asia Standard Time": "Asia/Bangkok|Bangkok, Hanoi, Jakarta|Bangkok, Jakarta, Hanoi",
  "Singapore Standard Time": "Asia/Singapore|Kuala Lumpur, Singapore|Singapore",
  "South Africa Standard Time": "Africa/Johannesburg|Harare, Pretoria",
  "South Sudan Standard Time": "Africa/Juba|Juba",
  "Sri Lanka Standard Time": "Asia/Colombo|Sri Jayawardenepura|Sri Jayewardenepura|Sri Jayawardenepura Kotte|Colombo",
  "Sudan Standard Time": "Africa/Khartoum|Khartoum",
  "Syria Standard Time": "Asia/Damascus|Damascus",
  "Taipei Standard Time": "Asia/Taipei|Taipei",
  "Tasmania Standard Time": "Australia/Hobart|Hobart",
  "Tocantins Standard Time": "America/Araguaina|Araguaina",
  "Tokyo Standard Time":
    "Asia/Tokyo|Osaka, Sapporo, Tokyo|Tokyo, Osaka, Sapporo|Tokyo, Osaka, Sapporo, Seoul, Yakutsk|Tokyo, Seoul",
  "Tomsk Standard Time": "Asia/Tomsk|Tomsk",
  "Tonga Standard Time": "Pacific/Tongatapu|Nuku'alofa",
  "Transbaikal Standard Time": "Asia/Chita|Chita",
  "Turkey Standard Time": "Europe/Istanbul|Istanbul",
  "Turks And Caicos Standard Time": "America/Grand_Turk|Turks and Caicos",
  "Ulaanbaatar Standard Time": "Asia/Ulaanbaatar|Ulaanbaatar",
  "US Eastern Standard Time": "America/Indianapolis|Indiana (East)",
  "US Mountain Standard Time": "America/Phoenix|Arizona",
  UTC: "Etc/UTC|Coordinated Universal Time|Greenwich Mean Time|Universal Coordinated Time",
  "UTC+12": "Etc/GMT-12|Coordinated Universal Time+12",
  "UTC+13": "Etc/GMT-13|Coordinated Universal Time+13",
  "UTC-02": "Etc/GMT+2|Coordinated Universal Time-02",
  "UTC-08": "Etc/GMT+8|Coordinated Universal Time-08",
  "UTC-09": "Etc/GMT+9|Coordinated Universal Time-09",
  "UTC-11": "Etc/GMT+11|Midway Island, Samoa|Coordinated Universal Time-11",
  "Venezuela Standard Time": "America/Caracas|Caracas",
  "Vladivostok Standard Time": "Asia/Vladivostok|Vladivostok",
  "Volgograd Standard Time": "Europe/Volgograd|Volgograd",
  "W. Australia Standard Time": "Australia/Perth|Perth",
  "W. Central Africa Standard Time": "Africa/Lagos|West Central Africa",
  "W. Europe Standard Time":
    "Europe/Berlin|Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna" +
    "|Berlin, Stockholm, Rome, Bern, Brussels, Vienna|Amsterdam, Bern, Rome, Stockholm, Vienna" +
    "|Bern, Brussels, Rome, Stockholm, Vienna|Brussels, Berlin, Bern, Rome, Stockholm, Vienna",
  "W. Mongolia Standard Time": "Asia/Hovd|Hovd",
  "West Asia Standard Time":
    "Asia/Tashkent|Islamabad, Karachi, Tashkent|Tashkent|Ashgabat, Tashkent|Ashgabat, Toshkent" +
    "|Islamabad, Karachi, Sverdlovsk, Tashkent",
  "West Bank Standard Time": "Asia/Hebron|Gaza, Hebron",
  "West Pacific Standard Time": "Pacific/Port_Moresby|Guam, Port Moresby",
  "Yakutsk Standard Time": "Asia/Yakutsk|Yakutsk",
  "Yukon Standard Time": "America/Whitehorse|Yukon",
};

/** `(GMT-06:00) ` or `(UTC) ` before the places of a zone; in iCalendar Outlook wrote `(GMT-06.00) `. */
const OFFSET_IN_FRONT = /^\((?:GMT|UTC)(?:[+-]\d{1,2}[:.]\d{2})?\)/i;

/** Normalized display name: Exchange wrote `Paris/Madrid` and `;` for `,`, others `US and Canada`. */
function displayKey(display: string): string {
  return display
    .replace(OFFSET_IN_FRONT, "")
    .toLowerCase()
    .replaceAll(" and ", " ")
    .replaceAll(/[^a-z\d+-]/g, "");
}

const ROWS = Object.entries(WINDOWS_ZONES).map(
  ([name, row]) => [name, ...row.split("|")] as [string, string, ...string[]],
);

/** The names in lower case: Exchange, Google and hand-made files do not agree on case. */
const BY_LOWER_CASE: ReadonlyMap<string, string> = new Map(ROWS.map(([name, zone]) => [name.toLowerCase(), zone]));
const BY_DISPLAY: ReadonlyMap<string, string> = new Map(
  ROWS.flatMap(([, zone, ...displays]) => displays.map((display) => [displayKey(display), zone])),
);

const SUMMER_NAME = / (?:daylight|summer) time$/;

/**
 * IANA name of a Windows time zone, by its name (`W. Europe Standard Time` -> `Europe/Berlin`) or display name
 * (`(GMT-06:00) Central Time (US & Canada)` -> `America/Chicago`); null if it is not a Windows zone.
 */
export function ianaZone(windowsName: string): string | null {
  // Programs that ask for the current name get that of summer.
  const lower = windowsName.trim().toLowerCase().replace(SUMMER_NAME, " standard time");
  return BY_LOWER_CASE.get(lower) ?? BY_DISPLAY.get(displayKey(lower)) ?? null;
}
