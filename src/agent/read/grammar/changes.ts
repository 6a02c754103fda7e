/** Changes and what they affect: "what breaks if I drop X", "who should know before X is renamed", "can I safely delete X". */
import {
  affected,
  ANYTHING,
  type ChangeOf,
  columnsOf,
  described,
  HOLDERS,
  isAnything,
  type Noun,
  those,
} from "./meanings.ts";
import { rulesFor } from "./notation.ts";
import { answers, impact, whether } from "./plans.ts";

const inArea = described({ types: [...HOLDERS] });
const change = rulesFor("ChangeOf");
const ask = rulesFor("Ask");

const named = (noun: Noun, what: ChangeOf["change"]): ChangeOf | null => (noun.isNamed ? { noun, change: what } : null);
change.rule("Change [of] Noun", (what, noun) => named(noun, what));
change.rule("Noun [be] Change", named);
/** "if the stripe connector fails" */
change.rule(
  "Schema [connector] [be] Change",
  (area, what) => named({ ...those(inArea, area), isNamed: true }, what),
  0.1,
);
/** "payment_method is removed from raw_payments" */
change.rule("Noun [be] Change (from|in|of) Noun", (columns, what, holder) => {
  const noun = columnsOf(columns, holder);
  return noun && named(noun, what);
});
change.rule("Change Noun (from|in) Noun", (what, columns, holder) => {
  const noun = columnsOf(columns, holder);
  return noun && named(noun, what);
});
change.rule("ChangeOf to Adjective", (changeOf, type) => (type.is === "data type" ? changeOf : null));
change.rule("(if|do|to) ChangeOf", (changeOf) => changeOf);

ask.rule("what [do|be] [break|impact|be impact] [comma] ChangeOf", (changeOf) => impact(changeOf));
ask.rule("impact ChangeOf", (changeOf) => impact(changeOf));
ask.rule("Noun [comma] impact", (noun) => (noun.isNamed ? impact({ noun, change: "column_drop" }) : null), 0.1);
ask.rule("ChangeOf [comma] what [do] break", (changeOf) => impact(changeOf), 0.05);
ask.rule("[do|be] safe ChangeOf", (changeOf) => impact(changeOf, { isSafe: true }));
ask.rule("do ChangeOf without break Noun", (changeOf, noun) =>
  isAnything(noun) ? impact(changeOf, { isSafe: true }) : null,
);
ask.rule("be Pronoun safe [to] ChangeOf", (_it, changeOf) => impact(changeOf, { isSafe: true }));
ask.rule("who [do|be] [break] tell ChangeOf", (changeOf) => impact(changeOf, { owners: true }));
ask.rule("ChangeOf [comma] Asked [do|be] break", (changeOf, all) =>
  isAnything(all.noun) ? null : answers(all, those(all.noun, affected(changeOf))),
);

const isHit = (noun: Noun, changeOf: ChangeOf) =>
  noun.isNamed ? whether(noun.set, affected(changeOf)) : whether(those(noun, affected(changeOf)).set);
ask.rule("do ChangeOf break", (changeOf) => isHit(ANYTHING, changeOf));
ask.rule("[what] do [break] Noun [break] ChangeOf", isHit);
ask.rule("do ChangeOf break Noun", (changeOf, noun) => isHit(noun, changeOf));
ask.rule("what [do] break to Noun ChangeOf", isHit);

export const changeRules = [...change.rules, ...ask.rules];
