import { shortenUmlauts } from "./fold-across.ts";

/** Shares of people with a name: one word, or a list of words, per share. From general knowledge, rounded. */
const SHARES: readonly (readonly [share: number, words: string])[] = [
  [0.012, "wang li zhang liu chen kim lee yang singh kumar nguyen smith"],
  [
    0.004,
    // English
    "johnson williams brown jones miller davis wilson anderson taylor thomas moore martin jackson thompson white harris " +
      "clark lewis robinson walker hall young allen king wright scott green baker adams nelson hill campbell mitchell " +
      "roberts carter phillips evans turner parker collins edwards stewart morris murphy cook rogers morgan cooper reed " +
      "bailey bell kelly howard ward cox richardson wood watson brooks bennett gray james hughes price myers long foster " +
      "ross powell jenkins perry russell sullivan fisher henderson simpson graham marshall stevens hunter shaw murray " +
      // German, Scandinavian, Dutch
      "muller schmidt schneider fischer weber meyer wagner becker schulz hoffmann koch bauer richter klein wolf " +
      "hansen johansen olsen larsen andersen nielsen jensen pedersen johansson andersson karlsson nilsson eriksson " +
      "jansen devries vandenberg bakker visser " +
      // Romance
      "garcia rodriguez martinez hernandez lopez gonzalez perez sanchez ramirez torres silva santos oliveira souza " +
      "pereira ferreira costa rossi russo ferrari bianchi romano dubois durand bernard moreau laurent " +
      // Slavic
      "ivanov petrov sidorov smirnov kuznetsov popov novak nowak kowalski horvat " +
      // Asian
      "huang zhao wu zhou xu sun ma zhu hu guo he lin gao luo zheng liang xie tang feng yu dong pan yuan deng cai jiang " +
      "park choi jung kang cho yoon sato suzuki takahashi tanaka watanabe ito yamamoto nakamura kobayashi kato " +
      "tran pham hoang sharma gupta patel shah khan ahmed ali hussain das rao reddy",
  ],
  [
    0.01,
    "james robert john michael david william richard joseph thomas charles christopher daniel matthew anthony mark donald " +
      "steven stephen paul andrew joshua kenneth kevin brian george timothy ronald edward jason jeffrey ryan jacob gary " +
      "nicholas eric jonathan larry justin scott brandon benjamin samuel gregory frank alexander raymond patrick jack " +
      "dennis jerry tyler aaron jose adam nathan henry douglas peter kyle mary patricia jennifer linda elizabeth barbara " +
      "susan jessica sarah karen lisa nancy betty margaret sandra ashley kimberly emily donna michelle carol amanda " +
      "dorothy melissa deborah stephanie rebecca sharon laura cynthia kathleen amy angela anna ann anne maria christine " +
      "catherine julie martin thomas hans klaus jan lars stefan andreas wolfgang jurgen pierre jean michel philippe " +
      "marco giuseppe antonio luis carlos juan jorge pedro ivan sergey alexey dmitry vladimir andrey mohammed ahmed ali " +
      "hassan wei jun ming lei yi hui xin jie rajesh amit sanjay sunil anil ravi mike tom jim bob steve dave chris jeff",
  ],
];

const SHARE_OF: ReadonlyMap<string, number> = new Map(
  [...SHARES]
    .sort(([one], [other]) => one - other)
    .flatMap(([share, words]) => words.split(" ").map((word) => [shortenUmlauts(word), share] as const)),
);

/** Share of people with a name in general; 0 for unlisted names. @param word from `foldAcross` */
export function bundledShare(word: string): number {
  return SHARE_OF.get(word) ?? 0;
}
