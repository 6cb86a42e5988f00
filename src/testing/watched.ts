import type {
  ScenarioReply,
  ScenarioRequest,
  ScenarioTarget,
} from '../fixtures/scenario-target.ts';

/** For tests: the same target, which reports every request with its response. */
export const watched = (
  target: ScenarioTarget,
  tell: (request: ScenarioRequest, reply: ScenarioReply) => void,
): ScenarioTarget =>
  Object.create(target, {
    send: {
      async value(request: ScenarioRequest) {
        const reply = await target.send(request);
        tell(request, reply);
        return reply;
      },
    },
  });
