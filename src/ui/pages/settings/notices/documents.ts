import { PERSON } from "../../../assets/person.ts";
import { type FragmentOf, gql, mutation, using } from "../../../graphql/graphql.ts";

const NOTICE_RULE = using(PERSON).gql(`fragment NoticeRuleCard on NoticeRule {
  id name channel kinds minRisk aboutBy about origin to
  recipient { ...PersonName }
  digestHour createdAt createdBy disabledAt disabledReason failingSince
}`);

export type NoticeRuleCard = FragmentOf<typeof NOTICE_RULE>;

export const NOTICE_RULES = using(NOTICE_RULE).gql("query NoticeRules { noticeRules { ...NoticeRuleCard } }");

export const MY_RULES = using(NOTICE_RULE).gql("query MyNoticeRules { myNoticeRules { ...NoticeRuleCard } }");

export const CREATE_MY_RULE = mutation("createMyNoticeRule", "noticeRule { ...NoticeRuleCard } secret", [NOTICE_RULE]);

export const UPDATE_MY_RULE = mutation("updateMyNoticeRule", "noticeRule { ...NoticeRuleCard }", [NOTICE_RULE]);

export const ROTATE_MY_SECRET = mutation("rotateMyNoticeSecret", "secret");

export const REMOVE_MY_RULE = mutation("removeMyNoticeRule", "id");

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

export const CREATE_RULE = mutation("createNoticeRule", "noticeRule { ...NoticeRuleCard } secret", [NOTICE_RULE]);

export const UPDATE_RULE = mutation("updateNoticeRule", "noticeRule { ...NoticeRuleCard }", [NOTICE_RULE]);

export const REMOVE_RULE = mutation("removeNoticeRule", "id");

export const TEST_RULE = mutation("testNoticeRule", "notice { ...NoticeRow }", [NOTICE]);

export const ROTATE_SECRET = mutation("rotateNoticeSecret", "secret");

export const RESEND = mutation("resendNotice", "notice { ...NoticeRow }", [NOTICE]);
