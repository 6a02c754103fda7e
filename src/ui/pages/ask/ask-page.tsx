/** Questions in plain language, answered from the catalog alone. */
import { type FormEvent, type KeyboardEvent, useEffect, useEffectEvent, useState } from "react";
import { useQuery } from "urql";
import { useSearchParams } from "wouter";

import { useSession } from "../../app/session/session.ts";
import { useLandmarks } from "../../assets/landmarks.ts";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/marks.tsx";
import { Loaded } from "../../parts/listing.tsx";
import { Page, Section, WithAside, Panel } from "../../parts/page.tsx";
import { AnswerCard } from "./answer-card.tsx";
import styles from "./ask-page.module.css";
import { ASK } from "./documents.ts";
import { findAnswer, type Turn, useHistory } from "./history.ts";

const MAX_CHARACTERS = 4_000;
/** Earlier questions that are sent along. */
const MAX_EARLIER = 5;

export function AskPage() {
  const [parameters, setParameters] = useSearchParams();
  const { workspace } = useSession();
  const history = useHistory(workspace.id);
  // The last one is the question; the others came before it in the conversation.
  const asked = parameters.getAll("q");
  const question = asked.at(-1) ?? "";
  const earlier = asked.slice(0, -1);
  const goTo = (questions: readonly string[]): void => {
    setParameters(new URLSearchParams(questions.map((each) => ["q", each])));
  };
  const goOn = (next: string): void => {
    const before = asked.filter((each) => each !== "" && each !== next).slice(-MAX_EARLIER);
    goTo([...before, next]);
  };
  return (
    <Page
      title="Ask"
      lead="A question becomes a plan, which code runs on the catalog. Every claim cites what it is based on."
    >
      <WithAside
        aside={
          <>
            <Examples onGoTo={goTo} />
            {history.turns.length > 0 && (
              <Section title="Asked in this tab">
                <QuestionList conversations={history.turns.map(({ questions }) => questions)} onGoTo={goTo} />
                <Button label="Forget these" className={styles["forget"]} look="quiet" onClick={history.forget} />
              </Section>
            )}
          </>
        }
      >
        {earlier.length > 0 && (
          <Section title="Earlier in this conversation">
            {earlier.map((each, index) => (
              <Earlier key={each} questions={earlier.slice(0, index + 1)} turns={history.turns} onGoTo={goTo} />
            ))}
            <Button label="Start over" className={styles["forget"]} look="quiet" onClick={() => setParameters({})} />
          </Section>
        )}
        <QuestionForm key={`form ${question}`} question={question} onAsk={goOn} />
        {question === "" ? (
          <Panel icon="ask" title="Ask about what the catalog knows">
            Lineage, owners, columns, checks, certifications, and what a change would break. It does not know the data
            itself, and says so instead of guessing.
          </Panel>
        ) : (
          <Reply key={`reply ${question}`} questions={asked} onAnswered={history.note} />
        )}
      </WithAside>
    </Page>
  );
}

function QuestionForm({ question, onAsk }: { question: string; onAsk: (question: string) => void }) {
  const [text, setText] = useState(question);
  const submit = (event: FormEvent | KeyboardEvent): void => {
    event.preventDefault();
    if (text.trim() !== "") onAsk(text.trim());
  };
  return (
    <form className={`input-box ${styles["form"]}`} onSubmit={submit}>
      <textarea
        aria-label="Your question"
        placeholder="What breaks if I drop a column? Who owns this dashboard? And who owns those?"
        rows={2}
        maxLength={MAX_CHARACTERS}
        value={text}
        autoFocus
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
        }}
      />
      <Button label="Ask" type="submit" look="primary" />
    </form>
  );
}

interface ReplyProps {
  /** The question, after those before it in the conversation. */
  questions: string[];
  onAnswered: (turn: Turn) => void;
}

function Reply({ questions, onAnswered }: ReplyProps) {
  const variables = { query: questions.at(-1) ?? "", conversation: questions.slice(0, -1) };
  const asked = useQuery({ query: ASK, variables });
  const [{ data, error }] = asked;
  const note = useEffectEvent(() => {
    if (data?.ask) onAnswered({ questions, answer: data.ask });
  });
  const isAnswered = Boolean(data?.ask);
  useEffect(() => {
    if (isAnswered) note();
  }, [isAnswered]);
  return (
    <div aria-live="polite" aria-busy={!isAnswered && !error}>
      <Loaded what="the answer" asked={asked} rows={4}>
        {(answer) => <AnswerCard answer={answer} />}
      </Loaded>
    </div>
  );
}

interface EarlierProps {
  questions: readonly string[];
  turns: readonly Turn[];
  onGoTo: (questions: readonly string[]) => void;
}

/** An earlier question with its answer, as far as this tab still has it: to ask again may cost a model's tokens. */
function Earlier({ questions, turns, onGoTo }: EarlierProps) {
  const answer = findAnswer(turns, questions);
  if (answer === null) return <QuestionList conversations={[questions]} onGoTo={onGoTo} />;
  return (
    <details open>
      <summary>{questions.at(-1)}</summary>
      <AnswerCard answer={answer} />
    </details>
  );
}

function Examples({ onGoTo }: Pick<QuestionListProps, "onGoTo">) {
  const [{ data: landmarks }] = useLandmarks();
  if (!landmarks) return null;
  const { hub, dashboard, metric } = landmarks;
  const questions = [
    ...(hub ? [`What breaks if ${hub.name} is dropped?`, `What feeds ${hub.name}?`] : []),
    ...(metric ? [`How is ${metric} computed?`, "Which metrics has nobody certified?"] : []),
    ...(dashboard ? [`What does ${dashboard} depend on?`, "Which dashboards have no owner?"] : []),
    ...(hub ? ["Which five models have the most dependents?", "Which models have no owner?"] : []),
  ];
  return (
    <Section title="Examples">
      {questions.length === 0 && <p className="soft">The catalog is empty, so there is nothing to ask yet.</p>}
      <QuestionList conversations={questions.map((each) => [each])} onGoTo={onGoTo} />
    </Section>
  );
}

interface QuestionListProps {
  /** Questions, each after those before it in its conversation. */
  conversations: readonly (readonly string[])[];
  onGoTo: (questions: readonly string[]) => void;
}

function QuestionList({ conversations, onGoTo }: QuestionListProps) {
  return (
    <ul>
      {conversations.map((questions) => (
        <li key={questions.join("\n")}>
          <button type="button" className="full option soft wrap" onClick={() => onGoTo(questions)}>
            <Icon name="right" size={12} /> {questions.at(-1)}
          </button>
        </li>
      ))}
    </ul>
  );
}
