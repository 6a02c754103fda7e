import { PERSON } from "../../../assets/asset-row.ts";
import { type FragmentOf, gql, mutation, using } from "../../../graphql/graphql.ts";

const NOTICE_RULE = using(PERSON).gql(`fragment NoticeRuleCard on NoticeRule {
  id name channel kinds minRisk aboutBy about origin to
  recipient { ...PersonName }
  digestHour createdAt createdBy disabledAt disabledReason failingSince
}`);

export type NoticeRuleCard = FragmentOf<typeof NOTICE_RULE>;

/** How the rules of the workspace are asked for and changed. */
export const WORKSPACE_RULES = {
  list: using(NOTICE_RULE).gql("query NoticeRules { rules: noticeRules { ...NoticeRuleCard } }"),
  create: mutation("createNoticeRule", "noticeRule { ...NoticeRuleCard } secret", [NOTICE_RULE], "made"),
  update: mutation("updateNoticeRule", "noticeRule { ...NoticeRuleCard }", [NOTICE_RULE], "made"),
  rotate: mutation("rotateNoticeSecret", "secret", [], "made"),
  remove: mutation("removeNoticeRule", "id", [], "made"),
};

/** The same for those of the person, which nobody else sees. */
export const OWN_RULES = {
  list: using(NOTICE_RULE).gql("query MyNoticeRules { rules: myNoticeRules { ...NoticeRuleCard } }"),
  create: mutation("createMyNoticeRule", "noticeRule { ...NoticeRuleCard } secret", [NOTICE_RULE], "made"),
  update: mutation("updateMyNoticeRule", "noticeRule { ...NoticeRuleCard }", [NOTICE_RULE], "made"),
  rotate: mutation("rotateMyNoticeSecret", "secret", [], "made"),
  remove: mutation("removeMyNoticeRule", "id", [], "made"),
};

export const CONNECTOR_NAMES = gql("query ConnectorNames { connectors(first: 200) { nodes { id name } } }");

/** What a rule is about, if it has an id. */
export const ABOUT = gql(`query AboutOfRule($id: ID!) {
  node(id: $id) { ... on Connector { id name } ... on CatalogNode { id type name fqn } }
}`);

export const MAIL = gql("query MailOfRules { viewer { id mayGetMail } }");

const NOTICE = gql(`fragment NoticeRow on Notice {
  id status isTest eventsTotal createdAt triesTotal
  events { kind subject name }
  tries { at status answer }
}`);

export type NoticeRow = FragmentOf<typeof NOTICE>;

export const NOTICES = using(NOTICE).gql(`query Notices($id: ID!, $after: String) {
  noticeRule(id: $id) {
    id
    notices(first: 20, after: $after) { nodes { ...NoticeRow } pageInfo { nextCursor } }
  }
}`);

export const TEST_RULE = mutation("testNoticeRule", "notice { ...NoticeRow }", [NOTICE]);

export const RESEND = mutation("resendNotice", "notice { ...NoticeRow }", [NOTICE]);
