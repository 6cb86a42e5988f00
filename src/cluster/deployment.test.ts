import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readSettings, settingsOfVariables } from '../config/settings.ts';
import { yaml } from '../text/yaml.ts';

// biome-ignore lint/suspicious/noExplicitAny: These are documents of other programs.
type Document = any;

const read = (name: string) =>
  readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8');

/** The names of settings are checked where they are read. */
const settingsIn = (variables: Readonly<Record<string, string>>) =>
  readSettings(settingsOfVariables(variables));

/**
 * This looks at what the files name, within each and of the emulator. Their schemas take 33 MB: those of Kubernetes were
 * tried by hand.
 */
describe('the files for deployment', () => {
  it('of Compose have two emulators that advertise themselves, which are those of nginx', () => {
    const { services } = yaml().parse(
      read('compose.yaml').replaceAll(/\$\{\w+:\?[^}]*\}/g, 'given'),
      { merge: true },
    ) as Document;
    const emulators = Object.entries<Document>(services).filter(([, { environment }]) =>
      Object.hasOwn(environment ?? {}, 'BILLING_EMULATOR_DATA'),
    );
    const addresses = [...read('nginx.conf').matchAll(/^ {2}server (.+);$/gm)].map(
      ([, address]) => `http://${address}`,
    );
    const settings = emulators.map(([, { environment }]) => settingsIn(environment));

    expect(emulators.map(([name]) => `http://${name}:24100`)).toEqual(addresses);
    expect(settings.map(({ advertise }) => advertise)).toEqual(addresses);
    expect(new Set(settings.map(({ data }) => data))).toEqual(
      new Set(['postgres://emulator@database/billing']),
    );
  });

  it('of Kubernetes have a Deployment whose pods, secrets and ports are those of the rest', () => {
    const documents: Document[] = yaml()
      .parseAllDocuments(read('kubernetes.yaml'))
      .map((document) => document.toJS());
    const [secret, deployment, service, budget] = documents;
    const { selector, template, replicas } = deployment.spec;
    const [container] = template.spec.containers;
    const env: Document[] = container.env;
    const plain = Object.fromEntries(
      env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
    );
    const secrets = env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []);

    expect(documents.map(({ kind }) => kind)).toEqual([
      'Secret',
      'Deployment',
      'Service',
      'PodDisruptionBudget',
    ]);
    expect([replicas, budget.spec.minAvailable]).toEqual([2, 1]);
    expect([selector.matchLabels, service.spec.selector, budget.spec.selector.matchLabels]).toEqual(
      Array(3).fill(template.metadata.labels),
    );
    expect(secrets.map(({ key }) => key)).toEqual(Object.keys(secret.stringData));
    expect(secrets.every(({ name }) => name === secret.metadata.name)).toBe(true);
    expect(
      settingsIn({ ...plain, BILLING_EMULATOR_ADVERTISE: 'http://10.0.0.1:24100' }),
    ).toBeDefined();
    expect(plain['BILLING_EMULATOR_ADVERTISE']).toBe('http://$(POD_IP):24100');
    expect([container.readinessProbe.httpGet.path, container.livenessProbe.httpGet.path]).toEqual([
      '/readyz',
      '/livez',
    ]);
    expect(service.spec.ports[0].targetPort).toBe(container.ports[0].name);
  });
});
