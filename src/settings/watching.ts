/** Settings of metrics and traces. */
import { endpoint, headers, host, port, printable, ratio, words } from "./values.ts";

export const watching = {
  METRICS_PORT: port
    .optional()
    .register(words, { about: "The port on which Prometheus reads metrics, without a token; none if not set." }),
  // Not the schema of HOST, which has another description.
  METRICS_HOST: host.clone().register(words, {
    about: "The address of that port.",
    default: "127.0.0.1",
    mustBe: "an IP address or a host name",
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.optional().register(words, {
    about: "The OpenTelemetry collector that gets traces, by OTLP over HTTP; none if not set.",
    mustBe: "a URL such as http://collector:4318, without credentials or a query",
  }),
  OTEL_EXPORTER_OTLP_HEADERS: headers.optional().register(words, {
    about: "Headers for the collector, separated by commas.",
    mustBe: "headers separated by commas, such as x-api-key=secret",
    isSecret: true,
  }),
  OTEL_SERVICE_NAME: printable(200).register(words, { about: "What traces call the service.", default: "tributary" }),
  OTEL_TRACES_SAMPLER_ARG: ratio.register(words, {
    about:
      "The part of traces that is sent, from 0 to 1. A trace that another service began is sent if that one says so.",
    default: "1",
    mustBe: "a number from 0 to 1",
  }),
};
