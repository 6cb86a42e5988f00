/** A schema rule that a value breaks, as reported by Ajv. */
export interface BrokenRule {
  readonly keyword: string;
  readonly instancePath: string;
  readonly schemaPath: string;
  // biome-ignore lint/suspicious/noExplicitAny: What it holds depends on the keyword.
  readonly params: Record<string, any>;
  readonly propertyName?: string;
  readonly message?: string;
  readonly schema?: unknown;
  readonly parentSchema?: Readonly<Record<string, unknown>>;
  readonly data?: unknown;
}

/** A compiled schema. */
export interface Validate {
  (value: unknown): boolean;
  readonly errors?: readonly BrokenRule[] | null;
}
