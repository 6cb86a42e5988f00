/** A code generator with its shell commands, which run in an empty folder. */
export interface CodeGenerator {
  readonly name: string;
  /** The served document that it reads. Its commands get the address as `$DOCUMENT`. */
  readonly document: 'openapi.json' | 'openapi-without-webhooks.json';
  /** The programs that must be on the machine, besides Node. */
  readonly needs: readonly string[];
  /** Installs the newest version that runs here. */
  readonly install: string;
  /** Prints that version. */
  readonly version: string;
  readonly generate: string;
  /** The program in `flows` that uses the generated client, and its name next to the client. */
  readonly flow: readonly [file: string, name: string];
  readonly compile: string;
  readonly run: string;
}

const npm = (names: string) =>
  `npm init -y && npm pkg set type=module && npm install --no-audit --no-fund ${names} typescript@5 tsx @types/node@20`;
const npmVersion = (name: string) =>
  `npm ls ${name} --depth 0 --json | sed -n 's/.*"version": "\\(.*\\)",*/\\1/p' | tail -1`;
const TYPESCRIPT = {
  needs: [],
  compile:
    'npx tsc --noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler --lib es2022,dom flow.ts',
  run: 'npx tsx flow.ts',
} as const;
const PYTHON = {
  needs: ['python3'],
  compile: 'py/bin/python -m compileall -q generated flow.py',
  run: 'py/bin/python flow.py',
} as const;
const GO = {
  needs: ['go'],
  compile: 'go mod init flow && go mod tidy && go vet ./...',
  run: 'go run .',
} as const;
const JAVA = ['java', 'mvn'] as const;
const JAR = 'org.openapitools:openapi-generator-cli';

/** OpenAPI Generator, a Java program, for one language. The jar comes from Maven Central. */
function openapiGenerator(
  language: string,
  options: string,
): Pick<CodeGenerator, 'name' | 'document' | 'version' | 'generate'> & { readonly jar: string } {
  return {
    name: `openapi-generator, ${language}`,
    document: 'openapi-without-webhooks.json',
    jar: `mvn -q dependency:copy -Dartifact=${JAR}:LATEST -DoutputDirectory=. -Dmdep.stripVersion=true`,
    version: 'java -jar openapi-generator-cli.jar version',
    generate: `java -jar openapi-generator-cli.jar generate -i $DOCUMENT -g ${language} ${options}`,
  };
}

const python = openapiGenerator('python', '--package-name generated -o .');
const go = openapiGenerator(
  'go',
  '--package-name generated --additional-properties withGoMod=false --global-property apis,models,supportingFiles,apiTests=false,modelTests=false -o generated',
);
const java = openapiGenerator(
  'java',
  '--library okhttp-gson --invoker-package generated --api-package generated --model-package generated -o .',
);
const rust = openapiGenerator(
  'rust',
  '--package-name generated --additional-properties supportAsync=false -o .',
);
const typescriptFetch = openapiGenerator('typescript-fetch', '-o generated');

export const CODE_GENERATORS: readonly CodeGenerator[] = [
  {
    name: 'openapi-typescript, openapi-fetch',
    document: 'openapi.json',
    install: npm("'openapi-typescript@*' 'openapi-fetch@*'"),
    version: npmVersion('openapi-typescript'),
    generate: 'npx openapi-typescript $DOCUMENT -o generated.d.ts',
    flow: ['openapi-typescript.ts', 'flow.ts'],
    ...TYPESCRIPT,
  },
  {
    name: '@hey-api/openapi-ts',
    document: 'openapi.json',
    install: npm("'@hey-api/openapi-ts@*'"),
    version: npmVersion('@hey-api/openapi-ts'),
    generate: 'npx openapi-ts -i $DOCUMENT -o generated',
    flow: ['hey-api.ts', 'flow.ts'],
    ...TYPESCRIPT,
  },
  {
    name: 'orval',
    document: 'openapi.json',
    install: npm("'orval@*'"),
    version: npmVersion('orval'),
    generate:
      "echo \"export default { it: { input: '$DOCUMENT', output: { target: 'generated.ts', client: 'fetch', baseUrl: '$BILLING_URL' } } }\" >orval.config.mjs && npx orval",
    flow: ['orval.ts', 'flow.ts'],
    ...TYPESCRIPT,
  },
  {
    name: 'openapi-python-client',
    document: 'openapi.json',
    install: 'python3 -m venv py && py/bin/pip install -q openapi-python-client',
    version: "py/bin/openapi-python-client --version | sed 's/.*: //'",
    generate:
      'PATH=$PWD/py/bin:$PATH openapi-python-client generate --url $DOCUMENT --meta none --output-path generated',
    flow: ['openapi-python-client.py', 'flow.py'],
    ...PYTHON,
  },
  {
    name: 'oapi-codegen',
    document: 'openapi-without-webhooks.json',
    install:
      'GOBIN=$PWD/bin go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@latest',
    version: 'bin/oapi-codegen -version | tail -1',
    generate:
      'mkdir generated && bin/oapi-codegen -generate types,client -package generated -o generated/client.go $DOCUMENT',
    flow: ['oapi-codegen.go', 'flow.go'],
    ...GO,
  },
  {
    ...python,
    install: `${python.jar} && python3 -m venv py && py/bin/pip install -q urllib3 python-dateutil pydantic typing-extensions`,
    flow: ['openapi-generator.py', 'flow.py'],
    ...PYTHON,
    needs: [...JAVA, ...PYTHON.needs],
  },
  {
    ...go,
    install: go.jar,
    flow: ['openapi-generator.go', 'flow.go'],
    ...GO,
    needs: [...JAVA, ...GO.needs],
  },
  {
    ...java,
    needs: JAVA,
    install: java.jar,
    flow: ['openapi-generator.java', 'src/main/java/Flow.java'],
    compile:
      'mvn -q -B -Dmaven.test.skip=true compile dependency:build-classpath -Dmdep.outputFile=classpath',
    run: 'java -cp "target/classes:$(cat classpath)" Flow',
  },
  {
    ...rust,
    needs: [...JAVA, 'cargo'],
    install: rust.jar,
    flow: ['openapi-generator.rs', 'src/main.rs'],
    compile: 'cargo build -q',
    run: 'cargo run -q',
  },
  {
    ...typescriptFetch,
    install: `${typescriptFetch.jar} && ${npm('')}`,
    flow: ['typescript-fetch.ts', 'flow.ts'],
    ...TYPESCRIPT,
    needs: JAVA,
  },
];
