import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { type ClientOptions, createClient } from '../client/index.ts';
import { packageManifest } from '../config/package-manifest.ts';
import { didYouMean } from '../text/wording.ts';
import { resources, SEARCH_TOOL } from './documentation.ts';
import { RECORD_TOOLS } from './records.ts';
import type { Input, Tool, ToolContext } from './tool.ts';
import { WORLD_TOOLS } from './worlds.ts';

const INSTRUCTIONS =
  'A local emulator of a usage-based billing service. The key selects a world of its own. Start with world_state; ask explain why a fee is what it is or missing; prove changes by run_fixture.';

/** The JSON Schema of the arguments of a tool. */
function schemaOf({ input, required = [] }: Tool) {
  const properties = Object.entries(input).map(([name, about]) => [
    name,
    typeof about === 'string' ? { type: 'string', description: about } : about,
  ]);
  return {
    type: 'object' as const,
    properties: Object.fromEntries(properties) as Record<string, object>,
    required: [...required],
    additionalProperties: false,
  };
}

/** All tools, each with one schema: the validator keeps what it has compiled for as long as it lives. */
const TOOLS = [...RECORD_TOOLS, ...WORLD_TOOLS, SEARCH_TOOL].map((tool) => ({
  ...tool,
  schema: schemaOf(tool),
}));

/**
 * Creates a server of the Model Context Protocol for one world. Nothing is connected yet.
 *
 * @param caller who calls, and the emulator that the tools call in turn
 */
function createMcpServer(caller: ClientOptions, isReadOnly: boolean): Server {
  const context = { ...caller, client: createClient(caller), isReadOnly };
  const { version } = packageManifest();
  const server = new Server(
    { name: 'billing-emulator', version },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  );
  const tools = TOOLS.filter(({ changes }) => !(changes && isReadOnly));
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, about, schema }) => ({
      name,
      description: about,
      inputSchema: schema,
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    callTool(tools, context, params.name, params.arguments ?? {}),
  );
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: resources().map(({ uri, name, mimeType }) => ({ uri, name, mimeType })),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    const found = resources().find((each) => each.uri === uri);
    if (!found) throw new Error(`There is no resource ${uri}.`);
    return { contents: [{ uri, mimeType: found.mimeType, text: found.read() }] };
  });
  return server;
}

const validator = new AjvJsonSchemaValidator();

/** Calls a tool. Returns errors as a result, so that the model can correct its call. */
async function callTool(
  tools: typeof TOOLS,
  context: ToolContext,
  name: string,
  input: Input,
): Promise<CallToolResult> {
  const failed = (text: string) => ({ content: [{ type: 'text' as const, text }], isError: true });
  const tool = tools.find((each) => each.name === name);
  const names = tools.map((each) => each.name);
  if (!tool) return failed(`There is no tool ${name}.${didYouMean(name, names)}`);
  const known = Object.keys(tool.input);
  const unknown = Object.keys(input).filter((each) => !known.includes(each));
  if (unknown.length > 0) return failed(unknownArguments(name, unknown, known));
  const checked = validator.getValidator(tool.schema)(input);
  if (!checked.valid) return failed(`${name}: ${checked.errorMessage}`);
  try {
    return { content: [{ type: 'text', text: await tool.run(context, input) }] };
  } catch (error) {
    return failed((error as Error).message);
  }
}

const unknownArguments = (tool: string, unknown: readonly string[], known: readonly string[]) =>
  unknown.map((each) => `${tool} has no argument ${each}.${didYouMean(each, known)}`).join('\n');

/**
 * Answers requests of the streamable HTTP transport, each on its own, as no session has a state. `read_only` in the
 * query leaves out what changes the world.
 */
export async function answerMcp(
  caller: ClientOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, query] = (request.url ?? '').split('?');
  const isReadOnly = new URLSearchParams(query).has('read_only');
  const server = createMcpServer(caller, isReadOnly);
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on('close', () => void server.close());
  await server.connect(transport as never);
  await transport.handleRequest(request, response);
}

/** Serves tools on standard input and output, until the input ends or `stopped` resolves. */
export async function serveMcpOnStdio(
  caller: ClientOptions,
  isReadOnly: boolean,
  stopped: Promise<void>,
): Promise<void> {
  const server = createMcpServer(caller, isReadOnly);
  const ended = new Promise<void>((resolve) => process.stdin.once('end', resolve));
  await server.connect(new StdioServerTransport());
  await Promise.race([ended, stopped]);
  await server.close();
}
