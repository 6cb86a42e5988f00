/** HTML that is safe to insert in a page. Only `html` creates it, and it escapes every text. */
export class Markup {
  private constructor(private readonly text: string) {}

  /** Joins fixed markup with values: texts are escaped, other markup is not. */
  static of(fixed: readonly string[], given: readonly Given[]): Markup {
    const parts = fixed.map((part, index) => part + render(given[index]));
    return new Markup(parts.join(''));
  }

  toString(): string {
    return this.text;
  }
}

export type Given = Markup | string | number | undefined | readonly Given[];

/** A template for markup: html`<p>${text}</p>`. */
export const html = (fixed: TemplateStringsArray, ...given: readonly Given[]): Markup =>
  Markup.of(fixed, given);

function render(given: Given): string {
  if (given === undefined) return '';
  if (given instanceof Markup) return given.toString();
  if (Array.isArray(given)) return given.map(render).join('');
  return escaped(String(given));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] as string);
