/** A section of a page with a form of its own, which saves only what is in it. */
import type { ReactNode } from "react";
import type { AnyVariables, TypedDocumentNode } from "urql";

import { type ChangeOptions, useChange } from "../graphql/use-change.ts";
import { Button } from "./button.tsx";
import { Form } from "./form.tsx";
import { Section } from "./page.tsx";

interface ChangeSectionProps<Data, Variables extends AnyVariables> extends ChangeOptions<Data> {
  title: string;
  lead: string;
  /** The words of the button. */
  action: string;
  change: TypedDocumentNode<Data, Variables>;
  variables: (form: FormData) => Variables;
  children: ReactNode;
}

export function ChangeSection<Data, Variables extends AnyVariables>(props: ChangeSectionProps<Data, Variables>) {
  const { title, lead, action, variables, onDone, children } = props;
  const { change, isBusy, fault, faults } = useChange(props.change, { onDone });
  return (
    <Section title={title} lead={lead}>
      <Form
        fault={fault}
        faults={faults}
        onSubmit={(form) => void change(variables(form))}
        buttons={<Button label={action} type="submit" isBusy={isBusy} />}
      >
        {children}
      </Form>
    </Section>
  );
}
