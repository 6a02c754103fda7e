import { type FragmentOf, graphql, mutation } from "../../../graphql/graphql.ts";

const NOTICE_RULE = graphql(`
  fragment NoticeRuleCard on NoticeRule {
    id
    name
    channel
    kinds
    minRisk
    aboutBy
    about
    origin
    to
    createdAt
    createdBy
    disabledAt
    disabledReason
    failingSince
  }
`);

export type NoticeRuleCard = FragmentOf<typeof NOTICE_RULE>;

export const NOTICE_RULES = graphql(
  `
    query NoticeRules {
      noticeRules {
        ...NoticeRuleCard
      }
    }
  `,
  [NOTICE_RULE],
);

export const MY_RULES = graphql(
  `
    query MyNoticeRules {
      myNoticeRules {
        ...NoticeRuleCard
      }
    }
  `,
  [NOTICE_RULE],
);

export const CREATE_MY_RULE = graphql(
  `
    mutation CreateMyNoticeRule($input: CreateMyNoticeRuleInput!) {
      createMyNoticeRule(input: $input) {
        noticeRule {
          ...NoticeRuleCard
        }
      }
    }
  `,
  [NOTICE_RULE],
);

export const UPDATE_MY_RULE = graphql(
  `
    mutation UpdateMyNoticeRule($input: UpdateMyNoticeRuleInput!) {
      updateMyNoticeRule(input: $input) {
        noticeRule {
          ...NoticeRuleCard
        }
      }
    }
  `,
  [NOTICE_RULE],
);

export const REMOVE_MY_RULE = mutation("removeMyNoticeRule", "id");

const NOTICE = graphql(`
  fragment NoticeRow on Notice {
    id
    status
    isTest
    eventsTotal
    createdAt
    triesTotal
    events {
      kind
      subject
      name
    }
    tries {
      at
      status
      answer
    }
  }
`);

export type NoticeRow = FragmentOf<typeof NOTICE>;

export const NOTICES = graphql(
  `
    query Notices($id: ID!, $after: String) {
      noticeRule(id: $id) {
        id
        notices(first: 20, after: $after) {
          nodes {
            ...NoticeRow
          }
          pageInfo {
            hasNextPage
            endCursor
          }
        }
      }
    }
  `,
  [NOTICE],
);

export const CREATE_RULE = graphql(
  `
    mutation CreateNoticeRule($input: CreateNoticeRuleInput!) {
      createNoticeRule(input: $input) {
        noticeRule {
          ...NoticeRuleCard
        }
        secret
      }
    }
  `,
  [NOTICE_RULE],
);

export const UPDATE_RULE = graphql(
  `
    mutation UpdateNoticeRule($input: UpdateNoticeRuleInput!) {
      updateNoticeRule(input: $input) {
        noticeRule {
          ...NoticeRuleCard
        }
      }
    }
  `,
  [NOTICE_RULE],
);

export const REMOVE_RULE = mutation("removeNoticeRule", "id");

export const TEST_RULE = graphql(
  `
    mutation TestNoticeRule($input: TestNoticeRuleInput!) {
      testNoticeRule(input: $input) {
        notice {
          ...NoticeRow
        }
      }
    }
  `,
  [NOTICE],
);

export const ROTATE_SECRET = mutation("rotateNoticeSecret", "secret");

export const RESEND = graphql(
  `
    mutation ResendNotice($input: ResendNoticeInput!) {
      resendNotice(input: $input) {
        notice {
          ...NoticeRow
        }
      }
    }
  `,
  [NOTICE],
);
