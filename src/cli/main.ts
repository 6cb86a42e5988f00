import { Command } from 'commander';
import { readManifest } from './manifest.ts';
import { addStart } from './start.ts';

const { version, description } = readManifest();

const program = new Command('billing-emulator')
  .description(description)
  .version(version)
  .enablePositionalOptions()
  .showSuggestionAfterError()
  .configureOutput({ outputError: (text, write) => write(text) })
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));

addStart(program);

await program.parseAsync();
