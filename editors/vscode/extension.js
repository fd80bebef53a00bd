// Starts `heapwright lsp` for C files; all else is in the server.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function activate() {
  const settings = vscode.workspace.getConfiguration("heapwright");
  const command = settings.get("path");
  const timeout = String(settings.get("timeout"));
  const server = { command, args: ["lsp", "--timeout", timeout] };
  const options = { documentSelector: [{ scheme: "file", language: "c" }] };
  client = new LanguageClient("heapwright", "Heapwright", server, options);
  return client.start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
