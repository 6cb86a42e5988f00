module example.com/billing-emulator/go

go 1.21
