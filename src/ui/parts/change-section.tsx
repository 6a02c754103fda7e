/** A section of a page with a form of its own, which saves only what is in it. */
import type { ReactNode } from "react";
import type { AnyVariables, TypedDocumentNode } from "urql";

import { useChange } from "../graphql/use-change.ts";
import { Button } from "./button.tsx";
import { Form } from "./form.tsx";
import { Section } from "./page.tsx";
import { showToast } from "./toast.tsx";

interface ChangeSectionProps<Data, Variables extends AnyVariables> {
  title: string;
  lead: string;
  /** The words of the button. */
  action: string;
  change: TypedDocumentNode<Data, Variables>;
  variables: (form: FormData) => Variables;
  /** The fields that show what is wrong with them. */
  fields: readonly string[];
  /** The message after it is saved. */
  saved: string | ((data: Data) => string);
  children: (faults: Readonly<Record<string, string>>) => ReactNode;
}

export function ChangeSection<Data, Variables extends AnyVariables>(props: ChangeSectionProps<Data, Variables>) {
  const { title, lead, action, change: document, variables, fields, saved, children } = props;
  const { change, isBusy, fault, faults } = useChange(document, { fields });
  const save = async (form: FormData): Promise<void> => {
    const data = await change(variables(form));
    if (data !== null) showToast(typeof saved === "string" ? saved : saved(data));
  };
  return (
    <Section title={title} lead={lead}>
      <Form
        fault={fault}
        onSubmit={(form) => void save(form)}
        buttons={
          <Button type="submit" isBusy={isBusy}>
            {action}
          </Button>
        }
      >
        {children(faults)}
      </Form>
    </Section>
  );
}
